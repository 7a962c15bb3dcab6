import { InMemoryProviderCredentialStore } from "../../support/fakes/in-memory-provider-credential-store.ts";
import { inMemoryStores } from "../../support/fakes/in-memory-stores.ts";
import { providerCredentialStoreSuite } from "../../support/ports/provider-credential-store.suite.ts";

providerCredentialStoreSuite(() => new InMemoryProviderCredentialStore(inMemoryStores().idempotencyRecords));
