/**
 * Which folder may import from which. Arrows go one way: node, execution, service, transport.
 * Type imports count: a layer that needs the types of a higher one is not below it.
 */

/**
 * @param {string} name
 * @param {string} comment
 * @param {object} from
 * @param {object} to
 */
const forbid = (name, comment, from, to) => ({
	name,
	comment,
	severity: /** @type {const} */ ('error'),
	from,
	to,
});

const SHARED = '^nodes/shared/';

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
	forbidden: [
		forbid('no-circular', 'Modules that need each other are one module.', {}, { circular: true }),
		forbid(
			'no-unresolvable',
			'An import that resolves to nothing fails only when the code runs.',
			{},
			{ couldNotResolve: true },
		),
		forbid(
			'no-orphans',
			'A module that nobody imports and that imports nothing is a leftover.',
			{
				orphan: true,
				path: '^(nodes|credentials|sandbox|test|e2e|bench|hosts)/',
				// jest loads what is in test/runner by its name.
				pathNot: ['\\.(json|d\\.ts)$', '^test/runner/'],
			},
			{},
		),
		forbid(
			'no-unused-modules',
			'n8n loads nodes and credentials; what they do not reach is not part of the package.',
			{ path: '\\.(node|credentials)\\.ts$' },
			{
				path: '^(nodes|credentials)/',
				pathNot: '\\.(json|(node|credentials)\\.ts)$',
				reachable: false,
			},
		),
		forbid(
			'nodes-apart',
			'What two nodes share lives in nodes/shared.',
			{ path: '^nodes/([^/]+)/', pathNot: SHARED },
			{ path: '^nodes/', pathNot: '^nodes/($1|shared)/' },
		),
		forbid(
			'import-items-on-top',
			'Import Items uses files, jobs and mapping types; none of them uses it.',
			{
				path: '^nodes/NativeBulkImport/',
				pathNot: 'NativeBulkImport/(importItems/|[^/]+[.]node[.]ts$)',
			},
			{ path: '^nodes/NativeBulkImport/importItems/' },
		),
		forbid(
			'rows-on-nothing',
			'Rows are read without knowing what becomes of them.',
			{ path: '^nodes/NativeBulkImport/rows/' },
			{ path: '^nodes/NativeBulkImport/', pathNot: '^nodes/NativeBulkImport/rows/' },
		),
		forbid(
			'wait-on-nothing',
			'A node waits in the database of n8n without knowing what for.',
			{ path: '^nodes/NativeBulkImport/wait/' },
			{ path: '^nodes/NativeBulkImport/', pathNot: '^nodes/NativeBulkImport/wait/' },
		),
		...[
			['whatShouldHappen', 'whatShouldHappen[.]'],
			['stops', 'stops[.]'],
			['mapping', 'mapping/'],
			['model', 'mapping/|(stops|model)[.]'],
			['feature', 'mapping/|(stops|model|feature)[.]'],
			['start', '(mapping|start)/|(stops|model|feature)[.]'],
			['outcome', '(mapping|start|outcome)/|(model|feature)[.]'],
			['features', '(mapping|start|outcome|features)/|(stops|model|feature|whatShouldHappen)[.]'],
			['importLife', '(mapping|start|outcome)/|(stops|model|feature|whatShouldHappen)[.]'],
		].map(([room, below]) =>
			forbid(
				`import-items-${room}`,
				'An import maps rows, starts jobs and joins their outcome: in this order. Features stand on all of it, and nothing stands on them but the two operations.',
				{ path: `/importItems/${room}(/|[.])` },
				{ path: '/importItems/', pathNot: `/importItems/(${below})` },
			),
		),
		forbid(
			'import-items-features-apart',
			'A feature can be deleted without another.',
			{ path: '/importItems/features/(?!features[.])([^/.]+)' },
			{ path: '/importItems/features/', pathNot: '/importItems/features/$1(/|[.])' },
		),
		forbid(
			'shared-knows-no-node',
			'Nodes import shared code, not the other way round.',
			{ path: SHARED },
			{ path: '^nodes/(?!shared/)|^credentials/' },
		),
		forbid(
			'execution-reads-parameters-only',
			'Running operations needs the values of their parameters, not the fields.',
			{ path: `${SHARED}execution/` },
			{
				path: `${SHARED}parameters/`,
				pathNot: `${SHARED}parameters/(enteredFields|itemParameters)[.]ts$`,
			},
		),
		forbid(
			'operations-on-top',
			'What several nodes build their operations from needs both their parameters and their execution.',
			{ path: `${SHARED}(?!operations/)` },
			{ path: `${SHARED}operations/` },
		),
		forbid(
			'parameters-beside-execution',
			'Parameter descriptions and list searches run no operations and build no files. What a value is, is the same in a body and in a file.',
			{ path: `${SHARED}parameters/` },
			{
				path: `${SHARED}(execution|importFile)/`,
				pathNot: `${SHARED}importFile/(valueKinds|headerSynonyms)[.]ts$`,
			},
		),
		forbid(
			'service-made-by-connect',
			'Operations know the calls of the service, not how they are sent; a run connects them.',
			{
				path: '^nodes/',
				pathNot: `${SHARED}(service/|execution/(connect|runOperation)[.]ts$)`,
			},
			{
				path: `${SHARED}service/(nativeService|fileTransfer|callErrors)[.]ts$`,
				dependencyTypesNot: ['type-only'],
			},
		),
		forbid(
			'service-below-execution',
			'The interface of the service is described without saying who uses it.',
			{ path: `${SHARED}service/` },
			{ path: `${SHARED}(execution|parameters|importFile)/` },
		),
		forbid(
			'import-file-on-service-only',
			'A file is laid out by its content and the interface alone.',
			{ path: `${SHARED}importFile/` },
			{ path: `${SHARED}(execution|parameters|transport)/` },
		),
		forbid(
			'transport-at-the-bottom',
			'How one call gets there does not depend on what is called.',
			{ path: `${SHARED}transport/` },
			{ path: `${SHARED}(?!transport/)` },
		),
		forbid(
			'pure-without-n8n',
			'The interface and the file layout are tested, and could be used, without n8n.',
			{ path: `${SHARED}(service|importFile)/` },
			{ path: 'node_modules/n8n-workflow/', dependencyTypesNot: ['type-only'] },
		),
		forbid(
			'credentials-on-service-only',
			'A credential describes itself in the words of the interface and makes no calls of its own.',
			{ path: '^credentials/' },
			{ path: '^nodes/', pathNot: `${SHARED}service/` },
		),
		forbid(
			'package-apart-from-tools',
			'What is published does not need what is not.',
			{ path: '^(nodes|credentials)/' },
			{ path: '^(sandbox|test|e2e|bench|hosts|scripts)/' },
		),
		...[
			['wire', ''],
			['store', 'wire'],
			['bulkImport', 'store|wire'],
			['tenants', 'bulkImport|store|wire'],
			['files', 'tenants|bulkImport|wire'],
			['routes', 'tenants|store|wire'],
		].map(([folder, below]) =>
			forbid(
				`sandbox-${folder}-on-${below || 'nothing'}`,
				'The folders of the sandbox build on each other in one direction.',
				{ path: `^sandbox/${folder}/` },
				{ path: '^sandbox/', pathNot: `^sandbox/(${folder}${below && `|${below}`})/` },
			),
		),
		forbid(
			'sandbox-mapping-below-jobs',
			'What mapping types are does not depend on the jobs that use them.',
			{ path: '^sandbox/bulkImport/(mapping|rowProcessors)/' },
			{ path: '^sandbox/bulkImport/[^/]+$' },
		),
		forbid(
			'hosts-below-tests',
			'What starts an n8n does not know what is tried there.',
			{ path: '^hosts/' },
			{ path: '^(test|e2e|bench|scripts)/' },
		),
		forbid(
			'sandbox-apart-from-package',
			'A stand-in for the service that shared code with its client would share its mistakes.',
			{ path: '^sandbox/' },
			{ path: '^(nodes|credentials)/' },
		),
	],
	options: {
		doNotFollow: { path: 'node_modules' },
		exclude: { path: '^(dist|build)/' },
		tsPreCompilationDeps: true,
		tsConfig: { fileName: 'tsconfig.check.json' },
		enhancedResolveOptions: {
			exportsFields: ['exports'],
			conditionNames: ['require', 'import', 'node', 'default', 'types'],
		},
	},
};
