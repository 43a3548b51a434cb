import { nearestName, suggestion } from '../../../nodes/shared/service/nearestName';

const columns = ['NativeId', 'FirstName', 'LastName', 'City', 'CF12'];

test.each([
	['firstname', 'FirstName'],
	['Fristname', 'FirstName'],
	['CF13', 'CF12'],
])('"%s" is read as "%s"', (name, expected) => {
	expect(nearestName(name, columns)).toBe(expected);
});

test.each(['Shoesize', 'X', 'ID', ''])('nothing is close to "%s"', (name) => {
	expect(nearestName(name, columns)).toBeUndefined();
});

test.each(['Birthdays', 'Birthda'])('one letter more or less is one edit: %s', (near) => {
	expect(nearestName('Birthday', ['Burthdey', near])).toBe(near);
});

test('the suggestion is a question to the user, or nothing', () => {
	expect(suggestion('Cty', columns)).toBe(' Did you mean "City"?');
	expect(suggestion('Shoesize', columns)).toBe('');
});

test.each([
	['a long text for a short name', 'note '.repeat(1_000_000), ['Note']],
	['a short name for a long text', 'Note', ['Note '.repeat(1_000_000)]],
	['a long text for a long text', 'a'.repeat(1_000_000), ['a'.repeat(1_000_000)]],
])('does not take %s', (_, name, known) => {
	expect(nearestName(name, known)).toBeUndefined();
});
