import { checkDeployment } from "../../../infra/deploy-check/check-deployment.ts";
import { keyReads } from "../../../infra/deploy-check/checks/key.ts";
import { namedTypes } from "../../../infra/deploy-check/checks/names.ts";
import { regionalTypes } from "../../../infra/deploy-check/checks/types.ts";
import type { WantedStack } from "../../../infra/deploy-check/wanted.ts";
import { parseSettings } from "../../../infra/settings.ts";
import { configOf } from "./fake-account.ts";

/** A service of the signature as IAM calls it, where the two differ. */
const prefixes: Readonly<Record<string, string>> = { cloudcontrolapi: "cloudformation" };

/** Operations that are known by their path, as IAM calls them. */
const byPath: Readonly<Record<string, string>> = {
  "apigateway GET /account": "apigateway:GET",
  "lambda GET /2016-08-19/account-settings": "lambda:GetAccountSettings",
};

/** Returns what deploy:check does in an account where it has everything to check, as actions of IAM. */
export async function checkedActions(): Promise<readonly string[]> {
  const calls: string[] = [];
  const resources = Object.entries(namedTypes).map(([type, named]) => ({
    type,
    properties: { [named?.property ?? ""]: "das-main" },
  }));
  const stack: WantedStack = {
    name: "das-main-service",
    region: undefined,
    bootstrap: { parameter: "/cdk-bootstrap/hnb659fds/version", versionMin: 6 },
    resources: [...resources, ...Object.keys(regionalTypes).map((type) => ({ type, properties: {} }))],
  };
  const settings = parseSettings({
    webSocketAccessLogs: true,
    kmsKeyArn: "arn:aws:kms:eu-west-1:111122223333:key/k",
  });
  await checkDeployment({ settings, stacks: [stack], serviceStackName: stack.name }, configOf({}, calls));
  const made = calls
    // Everybody may ask who they are.
    .filter((call) => call !== "sts GetCallerIdentity")
    .map((call) => {
      const [service = "", operation = ""] = call.split(" ");
      return byPath[call] ?? `${prefixes[service] ?? service}:${operation}`;
    });
  const read = Object.values(namedTypes).flatMap((named) => named?.reads ?? []);
  return [...new Set([...made, ...read, ...keyReads])];
}
