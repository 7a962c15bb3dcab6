import * as z from "zod";
import { secretValidation } from "./secret-errors.ts";

/** Source: https://docs.aws.amazon.com/secretsmanager/latest/userguide/reference_limits.html */
const secretBytesMax = 65_536;

const Name = z
  .string()
  .min(1)
  .max(512)
  .regex(/^[A-Za-z0-9/_+=.@!-]+$/, {
    error:
      "Invalid name. Must be a valid name containing alphanumeric characters, or any of the following: -/_+=.@!",
  });
const SecretId = z.string().min(1).max(2048);
const ClientRequestToken = z.string().min(32).max(64).optional();
const Tags = z.array(z.object({ Key: z.string().min(1).max(128), Value: z.string().max(256) }));

const value = {
  SecretString: z
    .string()
    .refine((text) => Buffer.byteLength(text) <= secretBytesMax, {
      error: `Member must have length less than or equal to ${secretBytesMax}`,
    })
    .optional(),
  SecretBinary: z
    .base64()
    .refine((text) => Buffer.byteLength(text, "base64") <= secretBytesMax, {
      error: `Member must have length less than or equal to ${secretBytesMax}`,
    })
    .optional(),
};

export const CreateSecretRequest = z.strictObject({
  Name,
  ClientRequestToken,
  Description: z.string().max(2048).optional(),
  KmsKeyId: z.string().max(2048).optional(),
  Tags: Tags.optional(),
  ...value,
});
export type CreateSecretRequest = z.infer<typeof CreateSecretRequest>;

export const GetSecretValueRequest = z.strictObject({
  SecretId,
  VersionId: z.string().optional(),
  VersionStage: z.string().optional(),
});

export const PutSecretValueRequest = z.strictObject({
  SecretId,
  ClientRequestToken,
  VersionStages: z.array(z.string()).min(1).max(20).optional(),
  ...value,
});
export type PutSecretValueRequest = z.infer<typeof PutSecretValueRequest>;

export const SecretIdRequest = z.strictObject({ SecretId });

export const DeleteSecretRequest = z.strictObject({
  SecretId,
  RecoveryWindowInDays: z.number().int().optional(),
  ForceDeleteWithoutRecovery: z.boolean().optional(),
});

export const TagResourceRequest = z.strictObject({ SecretId, Tags });

export const ListSecretsRequest = z.strictObject({
  MaxResults: z.number().int().min(1).max(100).default(100),
  NextToken: z.string().optional(),
  Filters: z
    .array(
      z.strictObject({
        Key: z.literal("name"),
        Values: z.array(z.string().regex(/^[^!]/)).min(1).max(10),
      }),
    )
    .max(10)
    .default([]),
});
export type ListSecretsRequest = z.infer<typeof ListSecretsRequest>;

/** @throws {AwsError} ValidationException that names the first wrong member and never its value. */
export function parseSecretRequest<Schema extends z.ZodType>(schema: Schema, body: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw secretValidation(
    `1 validation error detected: Value at '${issue?.path.join(".")}': ${issue?.message}`,
  );
}
