import fc from 'fast-check';

import {
	buildPath,
	conventionEndpoint,
	type ConventionMethod,
	endpoints,
} from '../../../nodes/shared/service/endpoints';
import { readResourceName, recordIdProblem } from '../../../nodes/NativeRecord/recordInput';
import { anyCharacter, repetitions } from '../../support/randomCases';

const ROOT = 'https://api.example.org/v2';

/** Texts made of what could lead out of the path of the interface. */
const hostile = fc
	.array(
		fc.oneof(
			fc.constantFrom(...'/ .. . \\ ? # %2e %2f : // @'.split(' '), ' ', '\n', '\0'),
			fc.string({ unit: anyCharacter, maxLength: 4 }),
			fc.constantFrom('people', 'notes', 'https:', 'v2', '127.0.0.1'),
		),
		{ maxLength: 8 },
	)
	.map((parts) => parts.join(''));

const addressOf = (parts: string[]): URL => {
	return new URL(`${ROOT}${buildPath(conventionEndpoint('GET', parts), {})}`);
};

describe('whatever is entered, a call stays below the version of the interface', () => {
	test('as resource name', () => {
		fc.assert(
			fc.property(hostile, (entered) => {
				const read = readResourceName(entered);
				if ('problem' in read) {
					expect(read.problem).toMatch(/\.$/);
					return;
				}
				const address = addressOf(read.parts);
				expect(address.origin).toBe('https://api.example.org');
				expect([address.search, address.hash]).toEqual(['', '']);
				const [, version, ...segments] = address.pathname.split('/');
				expect(version).toBe('v2');
				expect(segments.map(decodeURIComponent)).toEqual(read.parts);
			}),
			{ numRuns: repetitions(2000) },
		);
	});

	test('as record ID, which is always one segment', () => {
		fc.assert(
			fc.property(hostile, (entered) => {
				const id = entered.trim();
				if (recordIdProblem(id) !== undefined) return;
				const address = addressOf(['events', id]);
				expect(address.pathname.split('/')).toHaveLength(4);
				expect(decodeURIComponent(address.pathname)).toBe(`/v2/events/${id}`);
			}),
			{ numRuns: repetitions(2000) },
		);
	});
});

test('every name of ordinary parts is accepted unchanged', () => {
	const part = fc
		.stringMatching(/^[A-Za-z][A-Za-z0-9:_-]{0,20}$/)
		.filter((name) => !/^v\d+$/i.test(name));
	fc.assert(
		fc.property(fc.array(part, { minLength: 1, maxLength: 6 }), (parts) => {
			for (const entered of [parts.join('/'), `/${parts.join('/')}`, ` ${parts.join('/')} `]) {
				expect(readResourceName(entered)).toEqual({ parts });
			}
		}),
	);
});

describe('a call by the general conventions', () => {
	const classOf = (method: ConventionMethod, path: string) => {
		const { category, retry } = conventionEndpoint(method, path.split('/'));
		return `${category} ${retry}`;
	};

	test('in the endpoint table keeps its rate category', () => {
		const value = (name: string) => (/Id$|^person$/.test(name) ? '123' : 'Phones');
		for (const endpoint of Object.values(endpoints)) {
			const path = endpoint.path.slice(1).replace(/\{(\w+)\}/g, (_, name: string) => value(name));
			for (const spelling of [path, path.toUpperCase()]) {
				expect(`${spelling} ${classOf(endpoint.method, spelling)}`).toMatch(
					new RegExp(` ${endpoint.category} `),
				);
			}
		}
	});

	test.each<[ConventionMethod, string, string]>([
		['GET', 'events/5', 'medium read'],
		['PUT', 'events/5', 'medium safe'],
		['POST', 'events', 'medium unsafe'],
		['PATCH', 'events/5', 'medium unsafe'],
		['POST', 'people/find', 'low read'],
		['POST', 'people/CrmId:A-1', 'medium safe'],
		// Stores a new person each time; no ID, although it is where one could be.
		['POST', 'people/create', 'medium unsafe'],
		// Safe only for a person that can be matched, which is not checked here.
		['POST', 'people/findOrCreate', 'low unsafe'],
		['POST', 'people/5/canvassResponses', 'high unsafe'],
		['POST', 'people/5/canvassResponses/6', 'medium unsafe'],
	])('%s %s is %s', (method, path, expected) => {
		expect(classOf(method, path)).toBe(expected);
	});
});
