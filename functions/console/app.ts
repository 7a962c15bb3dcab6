import type { Hono } from "hono";
import type { ConsoleSettings } from "../../shared/contract/console.ts";
import { consoleOperations } from "../../shared/contract/operations/console-operations.ts";
import { createHttpApp } from "../../shared/http/create-http-app.ts";
import type { AppDeps } from "../../shared/http/http-deps.ts";
import type { HttpContext, HttpEnv } from "../../shared/http/http-env.ts";
import { policyOf } from "../../shared/http/shipped/security-policy.ts";
import { sendAsset, serveShipped, setPageHeaders } from "../../shared/http/shipped/serve-shipped.ts";
import type { ShippedFiles } from "../../shared/http/shipped/shipped-files.ts";
import { createConsolePage } from "./console-page.ts";

export interface ConsoleDeps extends AppDeps {
  readonly files: ShippedFiles;
  readonly settings: ConsoleSettings;
  /** Presigned URLs lead there. */
  readonly filesUrl: string;
}

export function createConsoleApp(deps: ConsoleDeps): Hono<HttpEnv> {
  const page = createConsolePage(deps.files, deps.settings);
  const policy = policyOf([deps.settings.websocketUrl, deps.filesUrl, deps.settings.signIn?.tokenUrl]);
  const sendPage = async (c: HttpContext) => {
    setPageHeaders(c, policy);
    c.header("X-Frame-Options", "DENY");
    return await page(c);
  };
  return serveShipped(createHttpApp(deps), consoleOperations, {
    getConsole: sendPage,
    getConsoleSection: sendPage,
    getConsoleItem: sendPage,
    getConsoleAsset: (c) => sendAsset(c, deps.files),
  });
}
