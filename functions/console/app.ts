import type { Hono } from "hono";
import type { ConsoleSettings } from "../../shared/contract/console.ts";
import { consoleOperations } from "../../shared/contract/operations/console-operations.ts";
import { createHttpApp } from "../../shared/http/create-http-app.ts";
import type { AppDeps } from "../../shared/http/http-deps.ts";
import type { HttpContext, HttpEnv } from "../../shared/http/http-env.ts";
import { policyOf } from "../../shared/http/shipped/security-policy.ts";
import { sendFile, strictTransport } from "../../shared/http/shipped/send-file.ts";
import type { ShippedFiles } from "../../shared/http/shipped/shipped-files.ts";
import { createConsolePage } from "./console-page.ts";

export interface ConsoleDeps extends AppDeps {
  readonly files: ShippedFiles;
  readonly settings: ConsoleSettings;
  /** Presigned URLs lead there. */
  readonly filesUrl: string;
}

type ConsoleOperation = (typeof consoleOperations)[number];

/** The name of an asset has its hash. */
const immutable = "public, max-age=31536000, immutable";

export function createConsoleApp(deps: ConsoleDeps): Hono<HttpEnv> {
  const app = createHttpApp(deps);
  const page = createConsolePage(deps.files, deps.settings);
  const policy = policyOf([deps.settings.websocketUrl, deps.filesUrl, deps.settings.signIn?.tokenUrl]);
  const sendPage = async (c: HttpContext) => {
    c.header("Content-Security-Policy", policy);
    c.header("Referrer-Policy", "no-referrer");
    c.header("Strict-Transport-Security", strictTransport);
    c.header("X-Frame-Options", "DENY");
    return await page(c);
  };
  const handlers: Readonly<Record<ConsoleOperation["id"], (c: HttpContext) => Promise<Response>>> = {
    getConsole: sendPage,
    getConsoleSection: sendPage,
    getConsoleItem: sendPage,
    getConsoleAsset: (c) => sendFile(c, deps.files, `assets/${c.req.param("file")}`, immutable),
  };
  // The router takes the first route that fits, and an asset's is the more specific one.
  for (const { id, method, path } of consoleOperations.toReversed()) {
    app.on(method, path.replaceAll(/\{(\w+)\}/g, ":$1"), handlers[id]);
  }
  return app;
}
