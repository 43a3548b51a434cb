import { NodeHelpers } from 'n8n-workflow';

import { importReportOptions } from '../../../nodes/NativeBulkImport/reportOptions';

test.each([
	[{}, {}, true],
	[{ waitForOutcome: 'memory' }, { hosting: 'put' }, true],
	[{ waitForOutcome: 'none' }, { hosting: 'put' }, false],
	[{}, { hosting: 'none' }, false],
])('an import offers a report if it reads the outcome: %j, %j', (options, parameters, isShown) => {
	expect(importReportOptions).toHaveLength(2);
	for (const option of importReportOptions)
		expect(NodeHelpers.displayParameter(options, option, null, null, parameters)).toBe(isShown);
});
