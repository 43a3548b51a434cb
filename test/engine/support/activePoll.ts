import { Container } from './container';

import { PollContext, TriggersAndPollers } from 'n8n-core';
import { deepCopy, type IDataObject, type INodeExecutionData } from 'n8n-workflow';

import { additionalDataFor, stateOf, workflowWith, type NodeSetup } from './engine';

/**
 * A polling trigger in an active workflow. As in n8n, the static data is a copy that was loaded when
 * the workflow was activated, and it is saved only when a poll emits items and n8n has seen a change.
 */
export class ActivePoll {
	private saved: IDataObject;

	private active: ReturnType<ActivePoll['activate']>;

	/** `init` in an n8n that has just started, or `leadershipChange` in one that has just become the main one. */
	private mode: 'activate' | 'init' | 'leadershipChange' = 'activate';

	constructor(private readonly setup: NodeSetup) {
		this.saved = deepCopy(setup.staticData ?? {});
		this.active = this.activate();
	}

	/** n8n makes the functions of a node once, for all its polls. */
	private activate() {
		const { workflow, node } = workflowWith({ ...this.setup, staticData: this.saved });
		const host = additionalDataFor(this.setup, 'trigger');
		return { workflow, node, context: new PollContext(workflow, node, host, 'trigger', this.mode) };
	}

	/** What would be left after a crash. */
	get savedStaticData(): IDataObject {
		return deepCopy(this.saved);
	}

	/** Acts as a user who publishes the workflow with a new name for the node. */
	rename(name: string): void {
		const { workflow, node } = this.active;
		workflow.renameNode(node.name, name);
	}

	/** Stops n8n and starts it again: only what was saved is still there. */
	restart(mode: 'init' | 'leadershipChange' = 'init'): void {
		this.mode = mode;
		this.active = this.activate();
	}

	/**
	 * One due poll.
	 * @returns the items that start an execution; null for none
	 */
	async poll(): Promise<INodeExecutionData[][] | null> {
		const { workflow, node, context } = this.active;
		const items = await Container.get(TriggersAndPollers).runPollFunction(workflow, node, context);
		const { staticData } = workflow;
		if (items && staticData.__dataChanged) {
			this.saved = deepCopy(stateOf(workflow, node));
			staticData.__dataChanged = false;
		}
		return items;
	}
}
