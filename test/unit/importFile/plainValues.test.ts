import { isEqual } from 'lodash';

import { plainTest } from '../../../nodes/shared/importFile/plainValues';
import {
	judgeClosely,
	judgeValue,
	KINDS,
	type ValueKind,
} from '../../../nodes/shared/importFile/valueKinds';
import { repetitions, seed } from '../../support/randomCases';
import { seededRandom } from '../../support/seededRandom';

/** What lists have in their cells, and what cells are made of. */
const PIECES =
	`Ada,Zoë,Ana María,NÚÑEZ,Ångström,SÃ£o,João,Jürgen 2,R2,O'Hara,Mc Kay,St. Mary,12 Main St,Apt 4,#5,AK,ak,N.Y.,NT,SA,US,us,CA,Alaska,Canada,M,F,U,female,MX,
	99501,00000,0210,02101-1234,907-555-0100,(907) 555-0100,9075550100,19075550100,+1 907 555 0100,5550100,0000000000,2222222222,
	none@none.com,noemail@example.org,test@test.com,no email,no phone,nan,(blank),<null>,\\N,Loading...,0,007,	a@example.org,a.b+c@mail.example.org,a@b,@,undefined@example.org,1950-03-04,1900-01-01,1900-00-00,0000-00-00,
	2009-12-28,2031-01-01,1950-02-30,3/4/50,3/4/1950,28156,41025,19800201,1980/02/01,3.4.1981,12345,1234567890,1.5,EID1,1/0/1900,9.07555E+09,9075550100.0,1E5,
	n/a,N/A,na,NA,Na,null,Null,NULL,none,None,nil,Nil,undefined,unknown,Unknown,not given,Not Provided,kein,inconnu,
	NaN,#REF!,#N/A,####,[object Object],Invalid Date,invalid datetime,-,--,.,...,?,*,="07102",'0123,p:+1907,
	&amp;,JosÃ©,\u00a0,\u200b,  ,\t,\n,;,",<,>,=,+,_,:,(,),/,\\,|,€,𝒳,0,1,true,yes,X`.split(',');

const kinds: Array<ValueKind | undefined> = [undefined, ...(Object.keys(KINDS) as ValueKind[])];
const places = ['', 'US', 'us', 'CA', 'MX', 'N/A'].flatMap((country) =>
	['', 'AK', 'NJ', 'x'].map((state) => ({ state, country })),
);

test('what is plain fits unchanged, wherever the row is', () => {
	const random = seededRandom(seed);
	const pick = (): string => PIECES[random.below(PIECES.length)]?.replace(/^\n\t/, '') ?? '';
	const texts = [...PIECES, 'x'.repeat(99), 'x'.repeat(101), 'x'.repeat(300)];
	for (let index = 0; index < repetitions(20_000); index++)
		texts.push(
			[pick(), pick(), pick()].slice(0, 1 + random.below(3)).join(random.below(2) ? '' : ' '),
		);
	let plain = 0;
	// One expectation: each takes longer than to judge a value.
	const different: unknown[] = [];
	for (const kind of kinds) {
		const isPlain = plainTest(kind);
		for (const text of texts) {
			if (!isPlain(text)) continue;
			plain++;
			for (const place of random.below(20) === 0 ? places : places.slice(0, 1)) {
				const judgement = judgeClosely(kind, text, place);
				if (!isEqual(judgement, { verdict: 'fits', text }))
					different.push({ kind, text, judgement });
			}
		}
	}
	expect(different).toEqual([]);
	expect(plain).toBeGreaterThan(texts.length);
});

test('a phone number as most are written is judged as by all rules', () => {
	const random = seededRandom(seed);
	const pick = (pieces: string): string => {
		const list = pieces.split('|');
		return list[random.below(list.length)] ?? '';
	};
	let cleaned = 0;
	const different: unknown[] = [];
	for (let index = 0; index < repetitions(8000); index++) {
		const parts = [
			'(||+|1|+1 ',
			'907|212|022|292|290',
			')|| |-|) ',
			'555|155|911',
			'-|| |.',
			'0100|0000|01000|100',
		];
		const text = parts.map(pick).join('');
		const place = { state: '', country: pick('|US|CA|us|MX|DE|N/A|Canada') };
		const judgement = judgeValue('phone', text, place);
		const closely = judgeClosely('phone', text, place);
		if (!isEqual(judgement, closely)) different.push({ text, judgement, closely });
		if (judgement.verdict === 'cleaned') cleaned++;
	}
	expect(different).toEqual([]);
	expect(cleaned).toBeGreaterThan(100);
});

test.each<[ValueKind | undefined, string]>([
	[undefined, 'Section 4'],
	['name', 'Ada'],
	['name', 'Zoë'],
	['name', "O'Hara-Smith"],
	['street', '12 Main Street'],
	['city', 'St. Mary'],
	['city', 'Nürnberg'],
	['state', 'AK'],
	['zip', '99501'],
	['country', 'US'],
	['email', 'person.1@example.org'],
	['phone', '9075550100'],
	['birth', '1950-03-04'],
	['gender', 'F'],
	['id', '100001'],
	['words', ''],
])('a %s such as "%s" is plain', (kind, text) => {
	expect(plainTest(kind)(text)).toBe(true);
});
