import { afterEach, it } from 'node:test';
import { givenN8n } from '../hosts/givenN8n';
import {
	assertOtherCredentialRefused,
	assertOtherMappingRefused,
	assertOtherRowsRefused,
	assertSavedWorkflowHarmless,
} from './askedChanges';
import { n8nForTests } from './testN8n';

const running = n8nForTests({ httpsLinks: true });
afterEach(() => running.sandbox.control.reset());
const skip = givenN8n() !== undefined;

it('refuses other rows than were shown', { skip }, async () => {
	await assertOtherRowsRefused(running);
});

it('refuses other fields than were shown', { skip }, async () => {
	await assertOtherMappingRefused(running);
});

it('refuses another database than was shown', async () => {
	await assertOtherCredentialRefused(running, 'other');
});

it('imports what was shown if the workflow is saved meanwhile', async () => {
	await assertSavedWorkflowHarmless(running);
});
