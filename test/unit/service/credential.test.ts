import { NativeApi } from '../../../credentials/NativeApi.credentials';
import { readConnection } from '../../../nodes/shared/service/connection';
import { InvalidInput } from '../../../nodes/shared/service/invalidInput';

const credential = new NativeApi();
const apiKey = 'a1b2c3d4-89ab-cdef-0123-0fedcba98765';
const entered = { baseUrl: 'https://api.example.org', apiKey };
const data = { ...entered, deployment: 'other' };

test('a request keeps what it has and gets the header with the key', async () => {
	const request = { url: 'https://api.example.org/v2/codeTypes', headers: { Accept: '*/*' } };
	expect(await credential.authenticate({ ...data, authentication: 'header' }, request)).toEqual({
		...request,
		headers: { Accept: '*/*', apiKey },
	});
	expect(await credential.authenticate(data, { url: request.url })).toEqual({
		url: request.url,
		headers: { Authorization: `Basic ${Buffer.from(`apiuser:${apiKey}`).toString('base64')}` },
	});
});

test('a request is not sent with a key that is none', async () => {
	const request = { url: 'https://api.example.org/v2/codeTypes' };
	await expect(credential.authenticate({ ...data, apiKey: 'x' }, request)).rejects.toThrow(
		InvalidInput,
	);
});

test('its defaults make a working connection once address and key are entered', () => {
	const defaults = Object.fromEntries(
		credential.properties.map((property) => [property.name, property.default]),
	);
	expect(readConnection({ ...defaults, ...entered })).toEqual(readConnection(entered));
});
