import { mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * The settings of the engine. They are read when n8n-core constructs its services, so this module is
 * imported before n8n-core is.
 */
// The engine stays loaded from one test file to the next, and with it the name of this folder.
const userFolder = join(tmpdir(), `n8n-nodes-native-engine-${process.pid}`);
mkdirSync(userFolder, { recursive: true });
const remove = () => rmSync(userFolder, { recursive: true, force: true });
if (typeof afterAll === 'function') afterAll(remove);
else process.on('exit', remove);

process.env.N8N_USER_FOLDER = userFolder;
process.env.N8N_ENCRYPTION_KEY = 'engine-tests';
process.env.N8N_LOG_LEVEL = 'silent';
