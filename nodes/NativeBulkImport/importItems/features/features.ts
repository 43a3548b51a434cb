import type { ImportFeature } from '../feature';
import { askFirst } from './askFirst/askFirst';
import { cleanValues } from './cleanValues';
import { columnsDiffer } from './columnsDiffer';
import { consent } from './consent';
import { controlTotals } from './controlTotals';
import { corrections } from './corrections/corrections';
import { duplicates } from './duplicates/duplicates';
import { ifInvalid } from './ifInvalid';
import { importedBefore } from './importedBefore/importedBefore';
import { keepBefore } from './keepBefore';
import { lookUpMatches } from './lookUpMatches';
import { optOuts } from './optOuts/optOuts';
import { outputRows } from './outputRows';
import { ownHeaders } from './ownHeaders';
import { report } from './report';
import { rowProblems } from './rowProblems/rowProblems';
import { skipUnchanged } from './skipUnchanged/skipUnchanged';
import { tryFirst } from './tryFirst';

/** The optional features of Import Items, in the order in which they are asked: one file and one line each. */
export const features: readonly ImportFeature[] = [
	tryFirst,
	corrections,
	askFirst,
	importedBefore,
	columnsDiffer,
	ownHeaders,
	rowProblems,
	duplicates,
	skipUnchanged,
	controlTotals,
	cleanValues,
	optOuts,
	consent,
	ifInvalid,
	lookUpMatches,
	keepBefore,
	report,
	outputRows,
];
