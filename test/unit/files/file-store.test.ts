import { FakeClock } from "../../support/fakes/fake-clock.ts";
import { InMemoryFileStore } from "../../support/fakes/in-memory-file-store.ts";
import { fileStoreSuite } from "../../support/ports/file-store.suite.ts";

fileStoreSuite(() => new InMemoryFileStore(new FakeClock()));
