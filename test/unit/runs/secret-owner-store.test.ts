import { describe } from "vitest";
import { inMemoryStores } from "../../support/fakes/in-memory-stores.ts";
import { secretOwnerStoreSuite } from "../../support/ports/secret-owner-store.suite.ts";

describe("InMemorySecretOwnerStore", () => {
  secretOwnerStoreSuite(inMemoryStores);
});
