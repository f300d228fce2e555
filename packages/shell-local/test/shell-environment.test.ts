import { shellEnvironment } from '../src/shell-environment.ts'

test.each(['DEEPSEEK_API_KEY', 'github_token', 'ClientSecret', 'PGPASSWORD', 'AWS_CREDENTIALS_FILE'])(
  'hides %s from the command',
  (name) => {
    expect(shellEnvironment({ [name]: 'x', PATH: '/bin' })).toEqual({ PATH: '/bin' })
  },
)

test('hides variables that make the shell read a start-up file', () => {
  expect(shellEnvironment({ BASH_ENV: '/a', ENV: '/b', HOME: '/h' }, { BASH_ENV: '/c' })).toEqual({ HOME: '/h' })
})

test('passes on what the caller sets, also over an inherited variable', () => {
  expect(shellEnvironment({ LANG: 'C' }, { LANG: 'de', DEPLOY_TOKEN: 't' })).toEqual({ LANG: 'de', DEPLOY_TOKEN: 't' })
})
