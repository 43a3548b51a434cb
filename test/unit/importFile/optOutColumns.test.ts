import { optOutColumn } from '../../../nodes/shared/importFile/optOutColumns';

/** Header, a value that opts out, one that does not, and of what, as exports write them. */
const COLUMNS: Array<[header: string, out: string, other: string, channels: string]> = [
	['Do Not Call', 'Yes', 'No', 'calls'],
	['DoNotCall', 'TRUE', 'FALSE', 'calls'],
	['do_not_call', '1', '0', 'calls'],
	['federal_donotcall', 'true', 'false', 'calls'],
	['DNC', 'Y', 'N', 'calls'],
	['On DNC list', 'x', '', 'calls'],
	['do_not_contact', 'true', 'false', 'calls,texts,emails'],
	['npsp__Do_Not_Contact__c', '1', '0', 'calls,texts,emails'],
	['HasOptedOutOfEmail', 'true', 'false', 'emails'],
	['Email Opt Out', '1', '0', 'emails'],
	['No Bulk Emails (User Opt Out)', 'Yes', 'No', 'emails'],
	['is_opt_out', '1', '0', 'calls,texts,emails'],
	['Do Not Email', 'Yes', '', 'emails'],
	['Do Not SMS', 'Yes', 'No', 'texts'],
	['Do Not Text', 'x', '', 'texts'],
	['Do not allow Bulk Emails', 'Do Not Allow', 'Allow', 'emails'],
	['Do Not Mail', 'Yes', 'No', 'mail'],
	['NOMAIL', 'Y', 'N', 'mail'],
	['No Mail', 'X', '', 'mail'],
	['No Email', 'Y', 'N', 'emails'],
	['Requests no email', 'Yes', 'No', 'emails'],
	['No phone calls', 'yes', 'no', 'calls'],
	['Unsubscribed', 'true', 'false', 'emails'],
	['Unsubscribed from all email', 'true', '', 'emails'],
	['UNSUB_TIME', '2026-03-01 10:00:00', '', 'emails'],
	['UNSUB_REASON', 'NORMAL', '', 'emails'],
	['CLEAN_TIME', '2026-03-01 10:00:00', '', 'emails'],
	['OptOut_Date', '20260122T111244', '', 'calls,texts,emails'],
	['Hard bounce', 'true', 'false', 'emails'],
	['Blocklisted', 'yes', 'no', 'calls,texts,emails'],
	['Suppressions', 'Do Not Call', '', 'calls,texts,emails'],
	['Email Status', 'Unsubscribed', 'Active', 'emails'],
	['Email status', 'Cleaned', 'Subscribed', 'emails'],
	['email_status', 'bouncing', 'subscribed', 'emails'],
	['Can2 Subscription Status', 'unsubscribed', 'subscribed', 'emails'],
	['can2_sms_status', 'unsubscribed', 'subscribed', 'texts'],
	['Email Marketing Consent', 'UNSUBSCRIBED', 'NEVER_SUBSCRIBED', 'emails'],
	['Phone Opt In Status', 'Opt-Out', 'Unknown', 'calls'],
	['SMS Consent', 'revoked', 'granted', 'texts'],
	['email_opt_in', 'false', 'true', 'emails'],
	['Subscribed', 'No', 'Yes', 'emails'],
	['SMS Consent', '0', '1', 'texts'],
	['Email Consent', 'No', 'Unknown', 'emails'],
	['Permission to text', 'N', 'Y', 'texts'],
	['I agree to receive emails?', 'No', 'Yes', 'emails'],
	['Do you want to receive text messages', 'no', 'yes', 'texts'],
	['Would you like to get our newsletter?', 'No', 'Yes', 'emails'],
	['Accepts Marketing', 'no', 'yes', 'calls,texts,emails'],
	['Accepts Email Marketing', 'no', 'yes', 'emails'],
	['Accepts SMS Marketing', 'no', 'yes', 'texts'],
	['OK to text?', 'N', 'Y', 'texts'],
	['Okay to call', 'No', 'Yes', 'calls'],
	['Can we email you?', 'no', 'yes', 'emails'],
	['May we contact you by phone', 'FALSE', 'TRUE', 'calls'],
	['Subscribe to newsletter', 'FALSE', 'TRUE', 'emails'],
	['Receive Text Messages', 'No', 'Yes', 'texts'],
	['Contact by email', 'No', 'Yes', 'emails'],
	['Contact Preferences', 'Do not call', 'Email', 'calls,texts,emails'],
	['Status', 'Opted out', 'Active', 'calls,texts,emails'],
	['Tags', 'volunteer, do not call', 'volunteer, call again', 'calls,texts,emails'],
	['Notes', 'DO NOT CALL!', 'Please do not call after nine', 'calls,texts,emails'],
	['Phone Notes', 'dnc', 'home after six', 'calls'],
	['Ne pas appeler', 'oui', 'non', 'calls'],
	['Désabonné', 'oui', 'non', 'emails'],
	['No llamar', 'sí', 'no', 'calls'],
	['Nicht anrufen', 'x', 'nein', 'calls'],
];

it.each(COLUMNS)('%s: %j is an opt-out, %j is none', (header, out, other, channels) => {
	const column = optOutColumn(header);
	expect(column?.saysOut(out)).toBe(true);
	expect(column?.saysOut(other)).toBe(false);
	expect(column?.channels.join()).toBe(channels);
});

it.each([
	'First Name',
	'Email',
	'Mailing Address',
	'Mobile No',
	'Phone No',
	'Opt-In Date',
	'Last Opt Out By',
	'Unsubscribe Link',
	'State',
	'Precinct',
	'Contact Number',
	'Postal Code',
	'Call Time',
	'Email Bounce Rate',
	'Consent Date',
	'SMS Consent Date',
	'Can Text',
	'Can Receive SMS',
	'Accepted Terms',
	'Likes',
	'Wants Yard Sign',
	'Willing to Host',
	'Received Mailing',
	'Receives Medicare',
])('%s says nothing against contact', (header) => {
	expect(optOutColumn(header)).toBeUndefined();
});

it('takes no count and no link for an opt-out', () => {
	expect(optOutColumn('No Calls')?.saysOut('3')).toBe(false);
	expect(optOutColumn('Unsubscribe')?.saysOut('https://example.org/u/1')).toBe(false);
});
