import { DynamoIdempotencyStore } from "../../../shared/storage/table/dynamo-idempotency-store.ts";
import { DynamoMachineStore } from "../../../shared/storage/machine/dynamo-machine-store.ts";
import { DynamoSessionStore } from "../../../shared/storage/session/dynamo-session-store.ts";
import { machineItem } from "../../../shared/storage/machine/machine-item.ts";
import { sessionItem } from "../../../shared/storage/session/session-item.ts";
import { useTable } from "../../support/dynamo-stores.ts";
import { FakeClock } from "../../support/fakes/fake-clock.ts";
import { machineReservationSuite } from "../../support/ports/machine-reservation.suite.ts";
import { machineStoreSuite } from "../../support/ports/machine-store.suite.ts";

const table = useTable();

machineStoreSuite(() => {
  const clock = new FakeClock();
  const dynamo = table().at(clock);
  return {
    machines: new DynamoMachineStore({ table: dynamo, clock }),
    idempotencyRecords: new DynamoIdempotencyStore({ table: dynamo, clock }),
  };
});

machineReservationSuite(() => {
  const clock = new FakeClock();
  const dynamo = table().at(clock);
  return {
    machines: new DynamoMachineStore({ table: dynamo, clock }),
    sessions: new DynamoSessionStore({ table: dynamo }),
    putMachine: async (machine) => void (await dynamo.put(machineItem(machine))),
    putSession: async (session) => void (await dynamo.put(sessionItem(session))),
  };
});
