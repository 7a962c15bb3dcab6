import { InMemoryApiKeyStore } from "../../support/fakes/in-memory-api-key-store.ts";
import { InMemoryMailboxStore } from "../../support/fakes/in-memory-mailbox-store.ts";
import { InMemoryRateLimiter } from "../../support/fakes/in-memory-rate-limiter.ts";
import { InMemorySweepCursorStore } from "../../support/fakes/in-memory-sweep-cursor-store.ts";
import { InMemoryTicketStore } from "../../support/fakes/in-memory-ticket-store.ts";
import { apiKeyStoreSuite } from "../../support/ports/api-key-store.suite.ts";
import { mailboxStoreSuite } from "../../support/ports/mailbox-store.suite.ts";
import { rateLimiterSuite } from "../../support/ports/rate-limiter.suite.ts";
import { sweepCursorStoreSuite } from "../../support/ports/sweep-cursor-store.suite.ts";
import { ticketStoreSuite } from "../../support/ports/ticket-store.suite.ts";

apiKeyStoreSuite(() => new InMemoryApiKeyStore());
mailboxStoreSuite(() => new InMemoryMailboxStore());
ticketStoreSuite((clock) => new InMemoryTicketStore(clock));
rateLimiterSuite((clock) => new InMemoryRateLimiter(clock));
sweepCursorStoreSuite(() => new InMemorySweepCursorStore());
