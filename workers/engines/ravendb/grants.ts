/** The rights of a certificate in the form that the server accepts. */
export const rightsOf = (name: string, database: string, clearance: 'ValidUser' | 'Operator') => ({
  Name: name,
  SecurityClearance: clearance,
  Permissions: { [database]: 'Admin' },
});

/** The least rights that a certificate for Dyno needs (manual, "Authorization: Security Clearance and Permissions"). */
export function grants({ url, database }: { readonly url: string; readonly database: string }): string {
  const server = url.split(',')[0];
  const create = `curl --cert admin.pem -H 'Content-Type: application/json' -X PUT '${server}/admin/databases?name=${database}&replicationFactor=1' -d '{"DatabaseName":"${database}"}'`;
  if (server?.startsWith('http://'))
    return `# ${server} is not secured: everybody may do everything there, and Dyno needs nothing more.
# Should it be secured one day, the script for that is what this prints of the https URL.
`;
  return `# For a shell, as an administrator of the cluster whose certificate with its key is in admin.pem.
# In the Studio: Manage Server, Certificates, Generate client certificate.

# A database of Dyno's own: who may only work in it cannot make it. Run again, the server says that it is there, and
# makes a second certificate: leave that part out.
${create}

# A certificate for Dyno. The ZIP file holds dyno.pfx and dyno.pem: keep them where only Dyno's user can read them.
#   Permissions: Admin of that database, for indexes that Dyno defines (ravendb.index: static); else ReadWrite will do.
#   SecurityClearance ValidUser: nothing besides. Operator adds the server's processor time, memory and garbage collections,
#   which are else listed as unavailable; an Operator may see and drop every database, so give it on servers for tests
#   alone.
#   A connection that is marked as production needs "Read" in place of "Admin", so that the server
#   refuses all writes; only a licence with read-only certificates allows it.
curl --cert admin.pem -H 'Content-Type: application/json' -X POST '${server}/admin/certificates' -o dyno.zip -d '${JSON.stringify(rightsOf('dyno', database, 'ValidUser'), null, 2)}'
unzip dyno.zip -d dyno-certificate

# Afterwards, everything of Dyno goes by deleting the database and, in the Studio, the certificate:
# curl --cert admin.pem -H 'Content-Type: application/json' -X DELETE '${server}/admin/databases' -d '{"DatabaseNames":["${database}"],"HardDelete":true}'
`;
}
