import { simplifyName } from './fileColumns';

/** States, provinces and territories whose codes the post offices of their countries use. */
const STATES = `
US: AL Alabama, AK Alaska, AZ Arizona, AR Arkansas, CA California, CO Colorado, CT Connecticut, DE Delaware, DC District of Columbia, FL Florida, GA Georgia, HI Hawaii, ID Idaho, IL Illinois, IN Indiana, IA Iowa, KS Kansas, KY Kentucky, LA Louisiana, ME Maine, MD Maryland, MA Massachusetts, MI Michigan, MN Minnesota, MS Mississippi, MO Missouri, MT Montana, NE Nebraska, NV Nevada, NH New Hampshire, NJ New Jersey, NM New Mexico, NY New York, NC North Carolina, ND North Dakota, OH Ohio, OK Oklahoma, OR Oregon, PA Pennsylvania, RI Rhode Island, SC South Carolina, SD South Dakota, TN Tennessee, TX Texas, UT Utah, VT Vermont, VA Virginia, WA Washington, WV West Virginia, WI Wisconsin, WY Wyoming, AS American Samoa, GU Guam, MP Northern Mariana Islands, PR Puerto Rico, VI Virgin Islands, FM Micronesia, MH Marshall Islands, PW Palau, AA Armed Forces Americas, AE Armed Forces Europe, AP Armed Forces Pacific
CA: AB Alberta, BC British Columbia, MB Manitoba, NB New Brunswick, NL Newfoundland and Labrador, NS Nova Scotia, NT Northwest Territories, NU Nunavut, ON Ontario, PE Prince Edward Island, QC Quebec, SK Saskatchewan, YT Yukon
AU: NSW New South Wales, QLD Queensland, SA South Australia, TAS Tasmania, VIC Victoria, NT Northern Territory, ACT Australian Capital Territory
MX: AGU Aguascalientes, BCN Baja California, BCS Baja California Sur, CAM Campeche, CHP Chiapas, CHH Chihuahua, COA Coahuila, COL Colima, CMX Ciudad de México, DUR Durango, GUA Guanajuato, GRO Guerrero, HID Hidalgo, JAL Jalisco, MEX México, MIC Michoacán, MOR Morelos, NAY Nayarit, NLE Nuevo León, OAX Oaxaca, PUE Puebla, QUE Querétaro, ROO Quintana Roo, SLP San Luis Potosí, SIN Sinaloa, SON Sonora, TAB Tabasco, TAM Tamaulipas, TLA Tlaxcala, VER Veracruz, YUC Yucatán, ZAC Zacatecas`;

interface State {
	country: string;
	code: string;
	/** Simplified. */
	name: string;
}

const states: State[] = STATES.trim()
	.split('\n')
	.flatMap((line) =>
		line
			.slice(4)
			.split(', ')
			.map((state) => {
				const [code = ''] = state.split(' ');
				return { country: line.slice(0, 2), code, name: simplifyName(state.slice(code.length)) };
			}),
	);

const codes: ReadonlySet<string> = new Set(states.map(({ code }) => code));
const names: ReadonlySet<string> = new Set(states.map(({ name }) => name));

/** Whether a text is the code or the name of a state or province, also as `N.Y.` or `US-NY`. */
export function isState(text: string): boolean {
	const name = simplifyName(text);
	const code = name.toUpperCase();
	return (
		codes.has(code) || codes.has(/^(?:US|CA)(\w{2})$/.exec(code)?.[1] ?? '') || names.has(name)
	);
}

/** Of the US and Canada, by simplified code and name. */
const northAmerican: ReadonlyMap<string, State> = new Map(
	states
		.filter(({ country }) => country === 'US' || country === 'CA')
		.flatMap((state) => [state.code.toLowerCase(), state.name].map((key) => [key, state] as const))
		// The British have some, too.
		.filter(([name]) => name !== 'virginislands'),
);

/** A state or province of the US or Canada, from its code or its name, also as `N.Y.`. */
export function stateCode(text: string): State | undefined {
	// "N/D" and "C/O" are no states.
	return text.includes('/') ? undefined : northAmerican.get(simplifyName(text));
}
