import { DynamoDBClient, GetItemCommand } from "@aws-sdk/client-dynamodb";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import { organizationIdOf } from "../../shared/domain/organization-id.ts";
import { machineKey } from "../../shared/storage/table/keys.ts";

const client = new DynamoDBClient({});
const { TABLE_NAME: TableName, ORGANIZATION_ID = "" } = process.env;

/** The least that can be called reading a machine: no credentials, no checks, the row as it lies there. */
export const handler = async (event: { readonly pathParameters: { readonly machine_id: string } }) => {
  const { pk, sk } = machineKey(organizationIdOf(ORGANIZATION_ID), event.pathParameters.machine_id);
  const { Item = {} } = await client.send(
    new GetItemCommand({ TableName, Key: { pk: { S: pk }, sk: { S: sk } }, ConsistentRead: true }),
  );
  return {
    statusCode: 200,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(unmarshall(Item)),
  };
};
