import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { expect, inject, it } from "vitest";
import { ask, control, createOrganization, driverOf, keyOf } from "../support/stack/stack-client.ts";

it("no line of any log has a secret of a request, or a credential, taken or refused", async () => {
  const secret = `s3cret-${randomUUID()}`;
  const encoded = Buffer.from(secret).toString("base64");
  const organization = await createOrganization();
  const key = keyOf(organization, "full");
  const driver = await driverOf(organization);
  const machine = `/v1/machines/${driver.machineId}`;
  const computer = `/v1/computer/${driver.machineId}`;
  const answers = [
    await ask(machine, { key, method: "PATCH", body: { machine_sensitive_parameters: { pin: secret } } }),
    await ask(`${computer}/input/keyboard/type`, { key, body: { text: secret } }),
    await ask(`${computer}/fs/write`, { key, body: { path: "note.txt", content: encoded } }),
    await ask(`${computer}/shell/exec`, { key, body: { command: `echo ${secret}` } }),
    await ask(machine, { key, method: "PATCH", body: { nick: secret } }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 422]);
  expect(new TextDecoder().decode(answers[4]?.bytes)).not.toContain(secret);
  const token = async (flaw?: string) => {
    const body = { organization_id: organization.organization_id, ...(flaw && { flaw }) };
    return (await control<{ token: string }>("/tokens", body)).token;
  };
  const [taken, refused] = [await token(), await token("other_key")];
  expect((await ask("/v1/machines", { key: taken })).status).toBe(200);
  expect((await ask("/v1/machines", { key: refused })).status).toBe(401);
  const desktop = await ask<{ desktopToken: string }>("/api/driver/connection-token", {
    key: organization.jwt,
    body: { remotePeerId: "peer" },
  });
  // The last lines are still on their way to the file.
  await pause(500);
  const log = await readFile(inject("stack").logFile, "utf8");
  expect(log).toContain(driver.machineId);
  expect(driver.log()).toContain("connected");
  const credentials = [...Object.values(organization.api_keys), organization.jwt, taken, refused];
  const forbidden = [secret, encoded, ...credentials, desktop.body.desktopToken];
  expect(forbidden.filter((text) => log.includes(text) || driver.log().includes(text))).toEqual([]);
  await driver.stop();
});
