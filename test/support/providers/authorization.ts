import { createVerify, generateKeyPairSync } from "node:crypto";
import { readSignatureClaim, sha256Hex, signatureMatches } from "../../../infra/local/aws/sigv4.ts";
import type { ProviderKey } from "../../../shared/domain/model/provider-key.ts";
import type { ErrorReply, ProviderRequest } from "./wire-format.ts";

export const apiKey = "sk-the-one-key-of-these-tests";
export const awsRegion = "eu-central-1";
const accessKeyId = "AKIATESTTESTTEST0001";
export const secretAccessKey = "a-secret-access-key-of-forty-characters-";

export async function isSigned(
  { path, headers, text }: Pick<ProviderRequest, "path" | "headers" | "text">,
  region: string,
  method = "POST",
): Promise<boolean> {
  const [bare = "", query = ""] = path.split("?");
  const request = { method, path: bare, query, headers };
  const claim = readSignatureClaim(request);
  if (claim === "none" || claim === "malformed") return false;
  const isForIt =
    claim.accessKeyId === accessKeyId && claim.scope.region === region && claim.scope.service === "bedrock";
  return (
    isForIt &&
    claim.sessionToken === undefined &&
    (await signatureMatches(request, claim, sha256Hex(text), secretAccessKey))
  );
}

/** One key pair for all tests, because generating it takes long. */
const pair = generateKeyPairSync("rsa", { modulusLength: 2048 });

export const serviceAccount = {
  type: "service_account",
  project_id: "a-project",
  private_key_id: "key-1",
  private_key: pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  client_email: "robot@a-project.iam.gserviceaccount.com",
  // No test may call this address.
  token_uri: "http://127.0.0.1:1/token",
};

export const keysByKind = {
  api: { authType: "api_key", apiKey },
  serviceAccount: { authType: "service_account_json", serviceAccountJson: JSON.stringify(serviceAccount) },
  bedrock: { authType: "aws_bedrock_api_key", apiKey, awsRegion },
  iam: { authType: "aws_iam", accessKeyId, secretAccessKey, awsRegion },
} as const satisfies Readonly<Record<string, ProviderKey>>;

export const accessToken = "ya29.an-access-token";

export class TokenAddress {
  asked = 0;
  /** Responds `invalid_grant`, as for a deleted key. */
  isRefusing = false;

  readonly reply = (path: string, body: string): ErrorReply | undefined => {
    if (path !== "/token") return undefined;
    this.asked += 1;
    const form = new URLSearchParams(body);
    const isGrant = form.get("grant_type") === "urn:ietf:params:oauth:grant-type:jwt-bearer";
    if (this.isRefusing || !isGrant || !isAssertion(form.get("assertion") ?? ""))
      return { status: 400, body: { error: "invalid_grant", error_description: "Invalid JWT Signature." } };
    return { status: 200, body: { access_token: accessToken, expires_in: 3599, token_type: "Bearer" } };
  };
}

function isAssertion(jwt: string): boolean {
  const [header = "", payload = "", signature = ""] = jwt.split(".");
  const read = (part: string) =>
    JSON.parse(Buffer.from(part, "base64url").toString()) as Record<string, unknown>;
  const { alg, kid } = read(header);
  const { iss, aud, scope, iat, exp } = read(payload);
  const isAlive = Number(exp) - Number(iat) <= 3600 && Number(exp) * 1000 > Date.now();
  const isFor = String(aud).endsWith("/token") && scope === "https://www.googleapis.com/auth/cloud-platform";
  const isSignedBy = createVerify("RSA-SHA256")
    .update(`${header}.${payload}`)
    .verify(pair.publicKey, signature, "base64url");
  return (
    isSignedBy &&
    isAlive &&
    isFor &&
    alg === "RS256" &&
    kid === "key-1" &&
    iss === serviceAccount.client_email
  );
}
