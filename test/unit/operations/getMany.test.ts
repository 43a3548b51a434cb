import { parameterLimit, returnAllProperties } from '../../../nodes/shared/operations/getMany';
import { parametersOf } from '../parameters/nodeParameters';

test.each<[Record<string, unknown>, number]>([
	[{}, 50],
	[{ limit: '' }, 50],
	[{ limit: 7 }, 7],
	[{ returnAll: false, limit: 7 }, 7],
	[{ returnAll: true, limit: 7 }, Number.POSITIVE_INFINITY],
	[{ returnAll: true, limit: null }, Number.POSITIVE_INFINITY],
	// Expressions give digits as text.
	[{ limit: '7' }, 7],
])('%j asks for %d results', (parameters, results) => {
	expect(parameterLimit(parametersOf(parameters, returnAllProperties))).toBe(results);
});

test.each([-1, 0, 1.5, Number.NaN, 'all', {}])('a limit of %j is rejected', (limit) => {
	expect(() => parameterLimit(parametersOf({ limit }, returnAllProperties))).toThrow(
		/^Limit(: ".*" is not| must be) a whole number above 0\.$/,
	);
});
