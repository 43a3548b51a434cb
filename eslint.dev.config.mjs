import eslint from '@eslint/js';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

import sourceRules from './scripts/structure/sourceRules.cjs';

/**
 * The rules of everything that runs on a developer's machine. `eslint.config.mjs` is n8n's own and
 * must stay as it is: its rules are for code that runs inside n8n.
 */
export default defineConfig(
	globalIgnores(['dist', 'build', 'coverage']),
	{ linterOptions: { reportUnusedDisableDirectives: 'error' } },
	eslint.configs.recommended,
	{
		files: ['**/*.ts'],
		extends: [tseslint.configs.recommended],
		languageOptions: {
			parserOptions: {
				project: './tsconfig.check.json',
				tsconfigRootDir: import.meta.dirname,
			},
		},
		rules: {
			'@typescript-eslint/no-explicit-any': 'error',
			'@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
			'@typescript-eslint/no-non-null-assertion': 'error',
			'@typescript-eslint/no-floating-promises': [
				'error',
				// The runner of node:test collects these itself.
				{ allowForKnownSafeCalls: [{ from: 'package', name: 'test', package: 'node:test' }] },
			],
			'@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: false }],
			'@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
		},
	},
	{
		files: ['test/**/*.ts'],
		rules: {
			'no-restricted-syntax': [
				'error',
				{
					selector: 'Property[key.name="numRuns"] > Literal',
					message: 'repetitions(n) runs a quarter of them in `npm test` and all in a thorough run.',
				},
			],
		},
	},
	...sourceRules,
	{
		files: ['**/*.{js,cjs,mjs}'],
		// `npm run check` reads these files too and knows their globals without a second list.
		rules: { 'no-undef': 'off' },
	},
);
