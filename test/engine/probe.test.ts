import type { INodeParameters } from 'n8n-workflow';
import { NativeBulkImport } from '../../nodes/NativeBulkImport/NativeBulkImport.node';
import { NativePeople } from '../../nodes/NativePeople/NativePeople.node';
import { fileOf, itemImport, itemsOf, messagesOf, property, reportOf } from './support/itemImports';
import { useSandbox } from './support/sandboxed';
import { writeFileSync, appendFileSync } from 'node:fs';

const service = useSandbox();
const node = new NativeBulkImport();
const auto = { mappingMode: 'autoMapInputData', value: null } as unknown as INodeParameters;
const OUT = '/tmp/w/values-probe.txt';
writeFileSync(OUT, '');
const strip = (html: string) => html.replace(/<style[\s\S]*?<\/style>/g, '').replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
async function probe(name: string, csv: string, onError: any = 'stopWorkflow', options: INodeParameters = {}, extra: INodeParameters = {}) {
	const result = await service.run(node, itemImport(service, {}, { fieldMap: auto, source: 'binary', options: { pollInterval: 0.05, report: true, ...options }, ...extra }), { items: [await fileOf(csv)], onError });
	const rep = result.error ? '' : await reportOf(result);
	appendFileSync(OUT, `\n===== ${name}\nERROR ${result.error?.message} ${result.error?.description ?? ''}\nHINTS ${messagesOf(result)}\nOUT ${JSON.stringify(result.outputs.flat().map(({json})=>json)).slice(0,2500)}\nREPORT ${strip(rep).slice(0,2500)}\n`);
}
test('probe', async () => {
	await probe('dirty', 'First Name,Last Name,State,Zip,Phone,DOB,Email\nAnn,Lee,Massachusets,02138,907-555-0100,1980-01-02,ann@example.org\nBo,Lee,MA,02138,9.07555E+09,1980-01-02,bo@example.org\nCy,Lee,MA,02138,907-555-0102,21258,cy@example.org\nDi,Lee,MA,02138,907-555-0103,3/4/50,di@example.org\nEd,Lee,MA,02138,907-555-0104,March 3,ed@example.org\nFi,null,N/A,02138,907-555-0105,0000-00-00,fi@example.org\nGo,Lee,MA,2138,907-555-0106,1/0/1900,go@example.org\n', 'continueRegularOutput');
	const rows = Array.from({ length: 300 }, (_, i) => `Ann${i},Lee${i},a${i}@example.org,${i === 222 ? '31/12/1980' : i < 160 ? `${1 + (i % 12)}/${13 + (i % 15)}/1970` : `${1 + (i % 12)}/${1 + (i % 12)}/1971`}`);
	await probe('dates', 'First Name,Last Name,Email,DOB\n' + rows.join('\n') + '\n', 'continueRegularOutput');
	await probe('gender', 'First Name,Last Name,Email,Gender\nAnn,Lee,a@example.org,F\nBo,Lee,b@example.org,X\nCy,Lee,c@example.org,M\n', 'continueRegularOutput');
	await probe('email only', 'Email\na@example.org\nb@example.org\nc@example.org\n', 'continueRegularOutput');
	await probe('long header', `First Name,Last Name,Email,${'x'.repeat(10000)},,,a,b,c,d,e,f,g,Best # to reach\nAnn,Lee,a@example.org,1,2,3,1,2,3,4,5,6,7,907-555-0100\nBo,Lee,b@example.org,1,2,3,1,2,3,4,5,6,7,907-555-0101\n`, 'continueRegularOutput');
	await probe('emails', 'First Name,Last Name,Email\nAnn,Lee,a@example.org\nBo,Lee,nobody\nCy,Lee,x@y\n');
	await probe('states', 'Foo,City\nAnn,Lee\nBo,Lee\n');
	const map = { 'CreateOrUpdateContact:FirstName': property('F'), 'CreateOrUpdateContact:LastName': property('L'), 'CreateOrUpdateContact:Email': property('E'), 'ActivistCode:ActivistCodeID': property('A') };
	for (const onError of ['stopWorkflow', 'continueRegularOutput']) {
		await probe(`predef file ${onError}`, 'F,L,E,A\nAnn,Lee,a@example.org,Volunteer (demo)\nBo,Lee,b@example.org,Voluntier\n', onError, {}, { fieldMap: { mappingMode: 'defineBelow', value: map, schema: [], matchingColumns: [] } as any, mappingTypes: ['CreateOrUpdateContact', 'ActivistCode'] });
		const r = await service.run(node, itemImport(service, map, { mappingTypes: ['CreateOrUpdateContact', 'ActivistCode'] }), { items: itemsOf([{ F: 'Ann', L: 'Lee', E: 'a@example.org', A: 'Volunteer (demo)' }, { F: 'Bo', L: 'Lee', E: 'b@example.org', A: 'Voluntier' }]), onError: onError as any });
		appendFileSync(OUT, `\n=== predef items ${onError}: ${r.error?.message} ${messagesOf(r)} ${JSON.stringify(r.outputs.flat().map(({json})=>json)).slice(0,2000)}`);
	}
	const values = await service.run(node, { resource: 'mappingType', operation: 'getFieldValues', mappingTypeName: { __rl: true, mode: 'id', value: 'ActivistCode' }, fieldName: 'ActivistCodeID' } as any, { items: itemsOf([{}]) });
	appendFileSync(OUT, `\nVALUES ${values.error?.message} ${JSON.stringify(values.outputs).slice(0,600)}`);
	const people = new NativePeople();
	const up = await service.run(people, { resource: 'person', operation: 'update', person: { __rl: true, mode: 'id', value: '100001' }, firstName: 'null', lastName: 'N/A' } as any, { items: itemsOf([{}]), onError: 'continueRegularOutput' });
	appendFileSync(OUT, `\nPEOPLE ${up.error?.message} ${JSON.stringify(up.outputs).slice(0,900)} ${JSON.stringify(service.writes().slice(-1))}`);
});
