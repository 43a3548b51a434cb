import { InvalidInput } from '../shared/service/invalidInput';
import { isMatchable, missingForMatch, type Person } from '../shared/service/person';

/** Throws InvalidInput saying what is missing, if the service would not even look for the person. */
export function refuseUnmatchable(person: Person): void {
	if (isMatchable(person)) return;
	throw new InvalidInput([
		{
			field: 'Person',
			text: `this is too little for the service to look for the person, and where it stores people it would store a new one every time. Add ${missingForMatch(person)}. To send it all the same, turn off the option "Require Matchable Person".`,
		},
	]);
}
