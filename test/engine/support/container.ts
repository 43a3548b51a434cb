import './engineSettings';
import 'reflect-metadata';

import type * as Di from '@n8n/di';
import { createRequire } from 'node:module';

/**
 * n8n-core's own services. Several versions of `@n8n/di` may be installed, each with its container:
 * this is the one that n8n-core sees.
 */
export const { Container } = createRequire(require.resolve('n8n-core'))('@n8n/di') as typeof Di;

type Log = Record<'debug' | 'info' | 'warn', (message: string, details?: object) => void>;

/** Where nodes write their log. */
export function nodeLog(): Log {
	const { Logger } = createRequire(require.resolve('n8n-core'))('@n8n/backend-common') as {
		Logger: Di.Constructable<Log>;
	};
	return Container.get(Logger);
}

// The engine logs each of its steps, and the log reads the stack each time, although it is silent.
Object.assign(nodeLog(), { debug: () => undefined });
