import { DynamoApiKeyStore } from "../../../shared/storage/access/dynamo-api-key-store.ts";
import { DynamoMailboxStore } from "../../../shared/storage/tunnel/dynamo-mailbox-store.ts";
import { DynamoRateLimiter } from "../../../shared/storage/access/dynamo-rate-limiter.ts";
import { DynamoTicketStore } from "../../../shared/storage/access/dynamo-ticket-store.ts";
import { useTable } from "../../support/dynamo-stores.ts";
import { FakeClock } from "../../support/fakes/fake-clock.ts";
import { apiKeyStoreSuite } from "../../support/ports/api-key-store.suite.ts";
import { mailboxStoreSuite } from "../../support/ports/mailbox-store.suite.ts";
import { rateLimiterSuite } from "../../support/ports/rate-limiter.suite.ts";
import { ticketStoreSuite } from "../../support/ports/ticket-store.suite.ts";

const table = useTable();

apiKeyStoreSuite(() => new DynamoApiKeyStore({ table: table().at(new FakeClock()) }));
mailboxStoreSuite(
  () => new DynamoMailboxStore({ table: table().at(new FakeClock()), clock: new FakeClock() }),
);
ticketStoreSuite((clock) => new DynamoTicketStore({ table: table().at(clock), clock }));
rateLimiterSuite((clock) => new DynamoRateLimiter({ table: table().at(clock), clock }));
