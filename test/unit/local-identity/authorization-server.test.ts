import { createHash } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import {
  type Admission,
  type AuthorizationServer,
  createAuthorizationServer,
} from "../../../infra/local/identity/authorization-server.ts";

const redirectUri = "http://127.0.0.1:8080/console";
const verifier = "v".repeat(43);
const request = {
  response_type: "code",
  client_id: "das-console",
  redirect_uri: redirectUri,
  state: "s-1",
  code_challenge: createHash("sha256").update(verifier).digest("base64url"),
  code_challenge_method: "S256",
};

let server: AuthorizationServer;
let admission: Admission;
let nowMs = 0;

beforeEach(() => {
  nowMs = 0;
  let minted = 0;
  server = createAuthorizationServer({
    mint: async ({ organizationId, subject }) => `${organizationId} ${subject} ${++minted}`,
    now: () => nowMs,
  });
  admission = server.admit({ organizationId: "org", subject: "user" }, redirectUri);
});

const authorize = (change: Record<string, string> = {}) =>
  server.routes.request(`/authorize?${new URLSearchParams({ ...request, ...change })}`);
const post = (path: string, form: Record<string, string>) =>
  server.routes.request(path, { method: "POST", body: new URLSearchParams(form) });

async function codeOf(response: Response | Promise<Response>): Promise<string> {
  const location = new URL((await response).headers.get("location") ?? "");
  expect([location.origin + location.pathname, location.searchParams.get("state")]).toEqual([
    redirectUri,
    "s-1",
  ]);
  return location.searchParams.get("code") ?? "";
}

const redeem = (code: string, change: Record<string, string> = {}) =>
  post("/token", {
    grant_type: "authorization_code",
    client_id: "das-console",
    redirect_uri: redirectUri,
    code,
    code_verifier: verifier,
    ...change,
  });

describe("the local issuer", () => {
  it("signs in once by the hint of the start, and then asks for the password", async () => {
    const hinted = { login_hint: admission.loginHint };
    expect(await codeOf(authorize(hinted))).not.toBe("");
    const again = await authorize(hinted);
    expect(again.status).toBe(200);
    expect(await again.text()).toContain('name="password"');
  });

  it("leads nowhere but to the console that it was told of", async () => {
    for (const change of [
      { redirect_uri: "http://127.0.0.1:9999/console" },
      { client_id: "another" },
      { code_challenge_method: "plain" },
      { response_type: "token" },
    ]) {
      const response = await authorize({ ...change, login_hint: admission.loginHint });
      expect([response.status, response.headers.get("location")], JSON.stringify(change)).toEqual([
        400,
        null,
      ]);
      const posted = await post("/authorize", { ...request, ...change, password: admission.password });
      expect(posted.status).toBe(400);
    }
  });

  it("gives tokens for a code and its verifier, once and within a minute", async () => {
    const enter = () => codeOf(post("/authorize", { ...request, password: admission.password }));
    const code = await enter();
    const answer = await (await redeem(code)).json();
    expect(answer).toMatchObject({ access_token: "org user 1", token_type: "Bearer", expires_in: 3_600 });
    expect((await redeem(code)).status).toBe(400);
    expect((await redeem(await enter(), { code_verifier: "w".repeat(43) })).status).toBe(400);
    const late = await enter();
    nowMs += 60_000;
    expect((await redeem(late)).status).toBe(400);
    expect((await post("/token", { grant_type: "password" })).status).toBe(400);
  });

  it("renews a session, whose tokens are used once", async () => {
    const granted = await redeem(await codeOf(authorize({ login_hint: admission.loginHint })));
    const first = (await granted.json()) as { readonly refresh_token: string };
    const renew = (refresh_token: string) =>
      post("/token", { grant_type: "refresh_token", client_id: "das-console", refresh_token });
    const second = await renew(first.refresh_token);
    expect(second.headers.get("access-control-allow-origin")).toBe("http://127.0.0.1:8080");
    expect(await second.json()).toMatchObject({ access_token: "org user 2" });
    expect((await renew(first.refresh_token)).status).toBe(400);
  });

  it("takes no other password, and shows what it was sent as text", async () => {
    const state = '"><script>alert(1)</script>';
    const response = await post("/authorize", { ...request, state, password: "a guess" });
    expect(response.status).toBe(401);
    const html = await response.text();
    expect(html).toContain("This is not the password.");
    expect(html).not.toContain("<script>");
    expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
  });
});
