import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import type { ItemContext } from '../../../nodes/shared/execution/operation';
import {
	type ItemParameters,
	RunParameters,
} from '../../../nodes/shared/parameters/itemParameters';
import { scriptedService } from '../service/scriptedService';

/** What the user entered, by name; as in n8n, null is a value. */
type Entered = Record<string, unknown>;

/** The parameters of one item. */
export function parametersOf(entered: Entered, properties: INodeProperties[] = []): ItemParameters {
	return new RunParameters(properties, entered, (name) => entered[name]).ofItem(0);
}

const { service } = scriptedService(() => new Error('Nothing is sent.'));

/** An item of a node that sends nothing. */
export function itemOf(entered: Entered, properties: INodeProperties[] = []): ItemContext {
	const functions = {} as IExecuteFunctions;
	return { functions, service, itemIndex: 0, parameters: parametersOf(entered, properties) };
}
