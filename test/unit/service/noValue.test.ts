import { identifyingText } from '../../../nodes/shared/service/bodySchema';

test.each(['null', 'undefined', 'NaN', '#REF!'])('nobody is stored with the name "%s"', (name) => {
	expect(identifyingText.safeParse(name).error?.issues[0]?.message).toContain(`is "${name}"`);
});

test.each(['Null', 'Nan', 'Na', 'Ann'])('"%s" is the name of somebody', (name) => {
	expect(identifyingText.safeParse(name).success).toBe(true);
});
