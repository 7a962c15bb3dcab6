import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createComputerApp } from "../../../functions/computer/app.ts";
import { createRunAttachmentsApp } from "../../../functions/run-attachments/app.ts";
import { createRunsApp } from "../../../functions/runs/app.ts";
import { createTestService } from "../../support/shared/test-service.ts";

const places = [
  {
    app: createComputerApp,
    path: `/v1/computer/${randomUUID()}/fs/uploads`,
    body: (filename: string) => ({ filename, size: 1 }),
    loc: ["body", "filename"],
  },
  {
    app: createRunAttachmentsApp,
    path: "/v1/run-attachments",
    body: (filename: string) => ({ run_id: randomUUID(), attachment_type: "output", filename, content: "" }),
    loc: ["body", "filename"],
  },
  {
    app: createRunsApp,
    path: "/v1/runs",
    body: (filename: string) => ({ workflow_id: randomUUID(), file_inputs: [{ filename, content: "" }] }),
    loc: ["body", "file_inputs", 0, "filename"],
  },
] as const;

describe.each(places)("a file name of POST $path", ({ app, path, body, loc }) => {
  const send = async (filename: string) => {
    const service = await createTestService();
    const response = await app(service.deps).request(path, {
      method: "POST",
      headers: { authorization: service.authorize(), "content-type": "application/json" },
      body: JSON.stringify(body(filename)),
    });
    return { status: response.status, body: await response.json() };
  };

  it.each([
    "../../.bashrc",
    "C:\\autoexec.bat",
    "a\r\nSet-Cookie: b=1",
    "a\u0000.txt",
    "a\u0085b",
    "invoice\u202efdp.exe",
    "..",
    ".",
  ])("is 422 that names the field for %j", async (filename) => {
    expect(await send(filename)).toMatchObject({ status: 422, body: { detail: [{ loc }] } });
  });

  it.each(["report.pdf", "..hidden", "Übersicht 2026 (final).xlsx", "漢字"])("takes %j", async (filename) => {
    expect((await send(filename)).status).not.toBe(422);
  });
});
