import { createAmazonBedrock } from "@ai-sdk/amazon-bedrock";
import type { ProviderKey } from "../../domain/model/provider-key.ts";
import { bedrockAddress, printable } from "../api-key.ts";
import { ModelFailedError } from "../failure.ts";
import { takesCachePoints } from "../models-by-name.ts";
import type { Connect } from "../provider-model.ts";

export const connect: Connect = ({ request, http, addresses }) => {
  const { region, ...credentials } = credentialsOf(request.key);
  const address = bedrockAddress("bedrock-runtime", region);
  const baseURL = addresses.bedrock ?? address;
  const { model, additionalParams } = request.choice;
  const provider = createAmazonBedrock({
    ...credentials,
    region,
    baseURL,
    fetch: http.only(baseURL, "/converse"),
  });
  return {
    model: provider(model),
    options: {
      amazonBedrock: { additionalModelRequestFields: { ...additionalParams } },
      ...(model.includes("anthropic") && { anthropic: { disableParallelToolUse: true } }),
    },
    cacheMark: takesCachePoints(model) ? { amazonBedrock: { cachePoint: { type: "default" } } } : undefined,
    optional: "absent",
    secrets: [credentials.apiKey, credentials.secretAccessKey].filter((secret) => secret !== ""),
  };
};

/** Each field is given, and empty where it does not apply, because a missing one is read from the environment. */
interface Credentials {
  readonly region: string;
  readonly apiKey: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

function credentialsOf(key: ProviderKey): Credentials {
  if (key.authType !== "aws_bedrock_api_key" && key.authType !== "aws_iam")
    throw new ModelFailedError("key_invalid", "not a key of Amazon Bedrock");
  const region = key.awsRegion;
  if (key.authType === "aws_bedrock_api_key")
    return { region, apiKey: printable(key.apiKey), accessKeyId: "", secretAccessKey: "" };
  const accessKeyId = printable(key.accessKeyId);
  return { region, apiKey: "", accessKeyId, secretAccessKey: printable(key.secretAccessKey) };
}
