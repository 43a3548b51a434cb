import { once } from 'lodash';

import { simplifyName } from './fileColumns';

/** Includes the codes of the post offices. Of two equal codes, the later one wins: NT is in Canada. */
const STATES = `
MX: AGU Aguascalientes, BCN Baja California, BCS Baja California Sur, CAM Campeche, CHP Chiapas, CHH Chihuahua, COA Coahuila, COL Colima, CMX Ciudad de México, DUR Durango, GUA Guanajuato, GRO Guerrero, HID Hidalgo, JAL Jalisco, MEX México, MIC Michoacán, MOR Morelos, NAY Nayarit, NLE Nuevo León, OAX Oaxaca, PUE Puebla, QUE Querétaro, ROO Quintana Roo, SLP San Luis Potosí, SIN Sinaloa, SON Sonora, TAB Tabasco, TAM Tamaulipas, TLA Tlaxcala, VER Veracruz, YUC Yucatán, ZAC Zacatecas
AU: NSW New South Wales, QLD Queensland, SA South Australia, TAS Tasmania, VIC Victoria, NT Northern Territory, ACT Australian Capital Territory
CA: AB Alberta, BC British Columbia, MB Manitoba, NB New Brunswick, NL Newfoundland and Labrador, NS Nova Scotia, NT Northwest Territories, NU Nunavut, ON Ontario, PE Prince Edward Island, QC Quebec, SK Saskatchewan, YT Yukon
US: AL Alabama, AK Alaska, AZ Arizona, AR Arkansas, CA California, CO Colorado, CT Connecticut, DE Delaware, DC District of Columbia, FL Florida, GA Georgia, HI Hawaii, ID Idaho, IL Illinois, IN Indiana, IA Iowa, KS Kansas, KY Kentucky, LA Louisiana, ME Maine, MD Maryland, MA Massachusetts, MI Michigan, MN Minnesota, MS Mississippi, MO Missouri, MT Montana, NE Nebraska, NV Nevada, NH New Hampshire, NJ New Jersey, NM New Mexico, NY New York, NC North Carolina, ND North Dakota, OH Ohio, OK Oklahoma, OR Oregon, PA Pennsylvania, RI Rhode Island, SC South Carolina, SD South Dakota, TN Tennessee, TX Texas, UT Utah, VT Vermont, VA Virginia, WA Washington, WV West Virginia, WI Wisconsin, WY Wyoming, AS American Samoa, GU Guam, MP Northern Mariana Islands, PR Puerto Rico, VI Virgin Islands, FM Micronesia, MH Marshall Islands, PW Palau, AA Armed Forces Americas, AE Armed Forces Europe, AP Armed Forces Pacific`;

interface State {
	country: string;
	code: string;
}

const states: ReadonlyMap<string, State> = new Map(
	STATES.trim()
		.split('\n')
		.flatMap((line) => {
			const [country = '', list = ''] = line.split(': ');
			return list.split(', ').flatMap((state) => {
				const [code = '', ...name] = state.split(' ');
				return [code, name.join('')].map((key) => [simplifyName(key), { country, code }] as const);
			});
		}),
);

/** Whether a text is the code or the name of a state or province, also as `N.Y.` or `US-NY`. */
export function isState(text: string): boolean {
	return states.has(simplifyName(text).replace(/^(us|ca)(?=..$)/, ''));
}

/** A state or province of the US or Canada, from its code or its name, also as `N.Y.`. */
export function stateCode(text: string): State | undefined {
	const name = simplifyName(text);
	// "N/D" and "C/O" are not states, and there are British Virgin Islands too.
	if (text.includes('/') || name === 'virginislands') return undefined;
	const state = states.get(name);
	return state?.country === 'US' || state?.country === 'CA' ? state : undefined;
}

const stateCodes: ReadonlySet<string> = new Set(
	[...states.values()].map(({ code }) => code).filter((code) => stateCode(code)?.code === code),
);

/** Whether a text is the code of a state or province of the US or Canada, in capital letters. */
export function isStateCode(text: string): boolean {
	return stateCodes.has(text);
}

/** Keyed by simplified code and name. Read when they are needed, so that n8n starts without waiting for them. */
const readCountries = once((): ReadonlyMap<string, string> => {
	const languages = ['en', 'es', 'fr'].map(
		(language) => new Intl.DisplayNames([language], { type: 'region', fallback: 'none' }),
	);
	const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
	const countries = new Map<string, string>();
	for (const code of letters.flatMap((first) => letters.map((second) => first + second))) {
		if (/^(EU|EZ|UN|QO|X[AB]|ZZ)$/.test(code) || new Intl.Locale(`und-${code}`).region !== code)
			continue;
		const names = languages.flatMap((language) => language.of(code) ?? []);
		for (const name of names.length > 0 ? [...names, code] : [])
			countries.set(simplifyName(name), code);
	}
	for (const name of ['usa', 'unitedstatesofamerica', 'eeuu']) countries.set(name, 'US');
	for (const name of ['uk', 'greatbritain']) countries.set(name, 'GB');
	countries.delete('congo'); // two countries
	return countries;
});

/** The two letters of a country, from its code or its name; undefined if it is not certain. */
export function countryCode(text: string): string | undefined {
	if (text === '') return undefined;
	const name = simplifyName(text);
	// Senegal is SN.
	return name === '' || text.includes('/') ? undefined : readCountries().get(name);
}
