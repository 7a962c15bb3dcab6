import { jsonDepthMax } from "../../shared/vocabulary/json.ts";

export const apiDescription = `
Automates desktop machines at scale. An organization puts a driver on its desktops; the driver dials out and stays
connected ([the tunnel's AsyncAPI document](/asyncapi.json)). Its programs then use this API.

## Common to all

- JSON in UTF-8, at most ${jsonDepthMax} levels deep in a request, without half surrogate pairs in texts and without numbers beyond
  a double. Ids are UUIDs, of version 7 where the service makes them, so that they sort by creation time.
  Timestamps are ISO 8601 in UTC; one given with another offset is converted to UTC.
- Credentials: \`Authorization: Bearer <API key>\`, or the token of a dashboard session. Everything is limited to the
  credentials' organization; a resource of another one is 404, exactly as one that does not exist.
- Scopes of an API key: \`read\`, \`write\` (changes and acts), \`admin\` (all of \`write\`, and the organization's API keys),
  \`worker\` (executes runs), \`driver\` (opens tunnels; alone nothing else), \`operator\` (sees all organizations' health).
  A dashboard session has \`read\`, \`write\` and \`admin\`. A deleted or revoked key is refused within 30 s.
- Unknown fields and unknown query parameters are refused with 422: a mistyped one would be ignored in silence.
- Null in an optional field of a request is the same as leaving it out, unless the field's description says what null
  means; in a PATCH null clears what can be null in the resource.
- Lists return \`{items, total, skip, limit}\`, newest first (steps oldest first), with an exact total, unless they say "plain array".
  A filter that takes several values, separated by commas, lists what has one of them: at most 20, equal ones count once.
  Where a list takes \`after\`, the id of the last item of the page before, pages do not shift when something is created or
  deleted meanwhile; \`skip\` counts anew each time, and reads everything that it leaves out.
  \`omitted_fields\` of an item names what is left out of it because it may be large or costs a read.
- Runs, workflows and machines carry \`metadata\`, up to 20 pairs of strings of the caller's own; a PATCH merges, and lists
  filter by \`metadata[key]=value\`. An organization with many runs names up to five keys that they are indexed by.
- Some fields have a second name, by which programs that were written for another service know them: responses have both, and
  a request may have either; 422 names the second where the two differ. Web sessions of desktops, prices, merging of workflows
  and post-run checks are not part of this API.
- Every POST, PUT, PATCH and DELETE takes \`Idempotency-Key\`; a retry within 24 hours does nothing again and gets the
  original response, with \`Idempotency-Status: replayed\`; while the first is being processed 409, with another body 422.
  A desktop action of which nobody knows whether it happened is 504 \`outcome_unknown\`: read the desktop's state first.
- A workflow, trajectory, machine or pool comes with an \`ETag\`, which each write of people changes, and no ping or run. A
  write with it as \`If-Match\` is 412 \`changed_meanwhile\` if somebody else has written since, and names the new one: read
  again, and decide anew. What is not there is 404 with any \`If-Match\`; \`If-None-Match\` has no effect.
- \`X-Request-Id\` names a response in the service's logs.
- What may be added without notice, and how long what goes away stays: [Compatibility](/compatibility). What has changed:
  [the changelog](/changelog).

## Runs

A run is \`scheduling\` until a machine that it may have is free: the one that it names, one that is in all pools that
it names, or any; those with \`is_priority\` before all others, then the oldest first. Runs of one session go one after another on one machine, which is reserved for
it until then; a session ends when a run with \`release_session_after\` ends, with its chain, when its machine's
reservation is cleared or the machine deleted, or when it has not been used for an hour (3,600 s unless the deployment
says otherwise). A \`running\` run is carried out by the service itself, or, where its \`executor\` is \`worker\`, by a worker of the
organization's under its \`assignment_id\`; when its machine is without a connection for longer than 120 s (unless the deployment says otherwise) it ends as
\`error\`. Changes of runs and machines, and missed times of schedules, are published as events, too: to addresses of the organization's own, signed
(Webhooks; this document's \`webhooks\` show each body), and on the deployment's bus ([the same document](/asyncapi.json) as
the tunnel's).

## Errors

Validation errors (422) have a body of \`detail\`, a list of items with \`loc\`, \`msg\` and \`type\`. All other refusals
and failures have \`error\`, \`message\`, \`error_code\`, \`details\` and \`timestamp\`; programs go by \`error_code\`.

What API Gateway responds by itself has a body of one field, \`message\`: 413 (a body above 10 MB), 429 (the route's
throttle), 431 (headers above 10,240 bytes), 500 and 503 (no response within 30 s).

## Browsers

Pages of the origins that the deployment names may call the API (CORS): with \`Authorization\`, never with credentials that
a browser adds by itself. Every response to them, an error's too, says so, and its headers may be read. A preflight
(OPTIONS) is 204, without permission for other origins; a deployment that names none responds with 404.

## Limits

A dashboard user has 480 requests in a fixed window of 60 seconds, an organization's users 4,000 together, without
headers that say so. An API key has 600 (unless the deployment says otherwise), and as many again for requests that end
things; each response carries \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\`, and the same as
\`RateLimit\` and \`RateLimit-Policy\` of draft-ietf-httpapi-ratelimit-headers-11. A deployment may
limit all keys of an organization together as well. A blocked request is 429 with \`Retry-After\`.
Of one address, 60 requests with refused credentials in 60 seconds are 401, and more of them 429.
Lengths of texts are in Unicode code points.
A body has at most 1 MB (1,048,576 bytes) unless the operation says otherwise, a response at most
6 MB, a file 4 MB inside JSON and 100 MB through a link. A call to a desktop takes at most 25 s, four
at a time for a desktop and 200 for an organization (unless the deployment says otherwise).
`.trim();
