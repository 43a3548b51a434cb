import { InvalidInput } from '../shared/service/invalidInput';
import { isMatchable, missingForMatch, type Person } from '../shared/service/person';

/** Throws InvalidInput saying what is missing, if the service would not even look for the person. */
export function refuseUnmatchable(person: Person): void {
	if (isMatchable(person)) return;
	throw new InvalidInput([
		{
			field: 'Person',
			text: `this is not enough for the service to look for the person. Where people are stored, it would store a new one every time. Add ${missingForMatch(person)}. To send it anyway, turn off the option "Require Matchable Person".`,
		},
	]);
}
