import { DynamoSweepCursorStore } from "../../../shared/storage/maintenance/dynamo-sweep-cursor-store.ts";
import { useTable } from "../../support/dynamo-stores.ts";
import { FakeClock } from "../../support/fakes/fake-clock.ts";
import { sweepCursorStoreSuite } from "../../support/ports/sweep-cursor-store.suite.ts";

const table = useTable();

sweepCursorStoreSuite(() => new DynamoSweepCursorStore({ table: table().at(new FakeClock()) }));
