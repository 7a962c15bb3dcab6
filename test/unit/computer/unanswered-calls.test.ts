import { expect, it } from "vitest";
import { createComputerApp } from "../../../functions/computer/app.ts";
import { answered } from "../../support/shared/scripted-channel.ts";
import { createTestService } from "../../support/shared/test-service.ts";

it("a call refused because the driver is mute is made, under the same Idempotency-Key, once it is heard again", async () => {
  const service = await createTestService();
  const app = createComputerApp(service.deps);
  const connection = { id: "c", websocketId: "w=", host: "h" };
  const machine = await service.putMachine({ connection });
  const { connections } = service.stores;
  const current = { ...machine, id: connection.id, machineId: machine.id };
  for (let call = 0; call < 2; call++) await connections.noteUnanswered(current, service.stores.clock.now());
  const headers = {
    authorization: service.authorize(),
    "content-type": "application/json",
    "idempotency-key": "k",
  };
  const click = async () => {
    const path = `/v1/computer/${machine.id}/input/mouse/click`;
    return (await app.request(path, { method: "POST", headers, body: '{"x":1,"y":2}' })).status;
  };
  expect(await click()).toBe(504);
  expect(service.channel.requests).toEqual([]);
  await connections.noteAnswered(current);
  service.channel.willAnswer(answered(200, {}));
  expect(await click()).toBe(200);
  expect(service.channel.requests).toMatchObject([{ repeat: false }]);
});
