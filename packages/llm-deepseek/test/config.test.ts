import { Config } from '../src/index.ts'

test('has defaults for the endpoint and the idle timeout', () => {
  expect(Config.parse({ apiKey: 'sk-1' })).toEqual({
    apiKey: 'sk-1',
    baseURL: 'https://api.deepseek.com',
    idleTimeoutMs: 60_000,
  })
})

test.each([[{}], [{ apiKey: '' }], [{ apiKey: 'sk-1\n' }]])(
  'names DEEPSEEK_API_KEY when the key is unusable: %j',
  (config) => {
    expect(Config.safeParse(config).error?.issues).toEqual([
      expect.objectContaining({ path: ['apiKey'], message: expect.stringContaining('DEEPSEEK_API_KEY') }),
    ])
  },
)
