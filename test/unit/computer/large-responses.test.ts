import { expect, it } from "vitest";
import { createComputerApp } from "../../../functions/computer/app.ts";
import { answered } from "../../support/shared/scripted-channel.ts";
import { asking, createTestService } from "../../support/shared/test-service.ts";

const connection = { id: "c", websocketId: "w=", host: "h" };

it("reads a large response to a GET at once, and leaves that to a POST in the bucket for its repeats", async () => {
  const service = await createTestService();
  const { channel } = service;
  const ask = asking(createComputerApp(service.deps), service.authorize());
  const { id } = await service.putMachine({ connection });
  channel.willAnswer(
    answered(200, { path: "/", items: [] }),
    answered(200, { stdout: "", stderr: "", exit_code: 0 }),
  );
  await ask("GET", `/v1/computer/${id}/fs/list?path=/`);
  await ask("POST", `/v1/computer/${id}/shell/exec`, { command: "ls" });
  expect(channel.requests.map(({ path, readBytesMax }) => [path, readBytesMax])).toEqual([
    ["/computer/fs/list", 5_900_000],
    ["/computer/shell/exec", undefined],
  ]);
});
