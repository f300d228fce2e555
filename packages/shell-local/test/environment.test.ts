import { shellEnvironment } from '../src/environment.ts'

test.each(['DEEPSEEK_API_KEY', 'github_token', 'ClientSecret', 'PGPASSWORD', 'AWS_CREDENTIALS_FILE'])(
  'keeps %s from the command',
  (name) => {
    expect(shellEnvironment({ [name]: 'x', PATH: '/bin' })).toEqual({ PATH: '/bin' })
  },
)

test('keeps from the command what would make its shell read a start-up file', () => {
  expect(shellEnvironment({ BASH_ENV: '/a', ENV: '/b', HOME: '/h' }, { BASH_ENV: '/c' })).toEqual({ HOME: '/h' })
})

test('gives the command what its caller sets on purpose, over what is inherited', () => {
  expect(shellEnvironment({ LANG: 'C' }, { LANG: 'de', DEPLOY_TOKEN: 't' })).toEqual({ LANG: 'de', DEPLOY_TOKEN: 't' })
})
