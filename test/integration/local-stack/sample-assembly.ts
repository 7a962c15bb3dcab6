import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { assemblyOnDisk } from "../../stacks/local-template/assembly-on-disk.ts";

/** The code of the sample's function, which acts by its event. */
const source = `
  import { appendFileSync, existsSync, readFileSync } from "node:fs";
  const file = process.env.LAMBDA_TASK_ROOT + "/seen";
  const see = (what) => appendFileSync(file, what + "\\n");
  const started = Date.now() + Math.random();
  export const handler = async (event) => {
    if (event.Records) {
      for (const { dynamodb } of event.Records) {
        if (dynamodb.NewImage.poison) return { batchItemFailures: [{ itemIdentifier: dynamodb.SequenceNumber }] };
        see(dynamodb.Keys.pk.S);
      }
      return { batchItemFailures: [] };
    }
    if (event.seen) return existsSync(file) ? readFileSync(file, "utf8").trim().split("\\n") : [];
    if (event.started) return started;
    if (event.source === "aws.events") { see("scheduled"); return "fired"; }
    const { requestContext } = event;
    if (requestContext?.connectionId !== undefined) {
      console.log(JSON.stringify({ event: requestContext.eventType }));
      return { statusCode: 200 };
    }
    return {
      statusCode: 200,
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ path: event.rawPath, names: Object.keys(process.env), url: process.env.WEBSOCKET_URL }),
    };
  };
`;

const arnOf = (logicalId: string, attribute = "Arn"): object => ({ "Fn::GetAtt": [logicalId, attribute] });
const mayInvoke = (principal: string): object => ({
  Type: "AWS::Lambda::Permission",
  Properties: { Action: "lambda:InvokeFunction", FunctionName: arnOf("Fn"), Principal: principal },
});
const integrationOf = (api: string): object => ({
  Type: "AWS::ApiGatewayV2::Integration",
  Properties: {
    ApiId: { Ref: api },
    IntegrationType: "AWS_PROXY",
    IntegrationUri: arnOf("Fn"),
    PayloadFormatVersion: "2.0",
  },
});
const routeOf = (api: string, integration: string, RouteKey: string): object => ({
  Type: "AWS::ApiGatewayV2::Route",
  Properties: {
    ApiId: { Ref: api },
    RouteKey,
    Target: { "Fn::Join": ["/", ["integrations", { Ref: integration }]] },
  },
});

const streamActions = ["DescribeStream", "GetRecords", "GetShardIterator", "ListStreams"];

/**
 * A synthesized app of one function behind both APIs, a stream and a schedule.
 *
 * @param mayReadStream whether its role may read the table's stream.
 */
export function sampleAssembly(mayReadStream = true): string {
  const folder = assemblyOnDisk({
    sample: {
      assets: { "code.zip": "asset.code" },
      template: {
        Resources: {
          Table: {
            Type: "AWS::DynamoDB::Table",
            Properties: {
              KeySchema: [
                { AttributeName: "pk", KeyType: "HASH" },
                { AttributeName: "sk", KeyType: "RANGE" },
              ],
              AttributeDefinitions: [
                { AttributeName: "pk", AttributeType: "S" },
                { AttributeName: "sk", AttributeType: "S" },
              ],
              StreamSpecification: { StreamViewType: "NEW_AND_OLD_IMAGES" },
            },
          },
          Role: {
            Type: "AWS::IAM::Role",
            Properties: {
              Policies: [
                {
                  PolicyDocument: {
                    Version: "2012-10-17",
                    Statement: mayReadStream
                      ? [
                          {
                            Effect: "Allow",
                            Action: streamActions.map((action) => `dynamodb:${action}`),
                            Resource: arnOf("Table", "StreamArn"),
                          },
                        ]
                      : [],
                  },
                },
              ],
            },
          },
          Fn: {
            Type: "AWS::Lambda::Function",
            Properties: {
              Code: { S3Key: "code.zip" },
              Handler: "index.handler",
              Runtime: "nodejs24.x",
              Role: arnOf("Role"),
              Environment: {
                Variables: {
                  WEBSOCKET_URL: { "Fn::Sub": "$<Ws.ApiEndpoint>/live".replace("<", "{").replace(">", "}") },
                },
              },
            },
          },
          FromApi: mayInvoke("apigateway.amazonaws.com"),
          FromRule: mayInvoke("events.amazonaws.com"),
          Http: { Type: "AWS::ApiGatewayV2::Api", Properties: { Name: "http", ProtocolType: "HTTP" } },
          HttpStage: {
            Type: "AWS::ApiGatewayV2::Stage",
            Properties: {
              ApiId: { Ref: "Http" },
              StageName: "$default",
              DefaultRouteSettings: { ThrottlingRateLimit: 1, ThrottlingBurstLimit: 50 },
              RouteSettings: { "GET /tight": { ThrottlingRateLimit: 1, ThrottlingBurstLimit: 1 } },
            },
          },
          HttpIntegration: integrationOf("Http"),
          HttpDefault: routeOf("Http", "HttpIntegration", "$default"),
          HttpTight: routeOf("Http", "HttpIntegration", "GET /tight"),
          Ws: {
            Type: "AWS::ApiGatewayV2::Api",
            Properties: {
              Name: "ws",
              ProtocolType: "WEBSOCKET",
              RouteSelectionExpression: "$request.body.action",
            },
          },
          WsStage: {
            Type: "AWS::ApiGatewayV2::Stage",
            Properties: { ApiId: { Ref: "Ws" }, StageName: "live" },
          },
          WsIntegration: integrationOf("Ws"),
          WsConnect: routeOf("Ws", "WsIntegration", "$connect"),
          WsDisconnect: routeOf("Ws", "WsIntegration", "$disconnect"),
          Failures: { Type: "AWS::SQS::Queue", Properties: {} },
          Stream: {
            Type: "AWS::Lambda::EventSourceMapping",
            Properties: {
              FunctionName: { Ref: "Fn" },
              EventSourceArn: arnOf("Table", "StreamArn"),
              StartingPosition: "TRIM_HORIZON",
              BisectBatchOnFunctionError: true,
              MaximumRetryAttempts: 1,
              FunctionResponseTypes: ["ReportBatchItemFailures"],
              FilterCriteria: {
                Filters: [{ Pattern: '{"dynamodb":{"NewImage":{"kind":{"S":["sample"]}}}}' }],
              },
              DestinationConfig: { OnFailure: { Destination: arnOf("Failures") } },
            },
          },
          EveryMinute: {
            Type: "AWS::Events::Rule",
            Properties: { ScheduleExpression: "rate(1 minute)", Targets: [{ Id: "t", Arn: arnOf("Fn") }] },
          },
        },
      },
    },
  });
  writeFileSync(join(folder, "asset.code", "index.mjs"), source);
  return folder;
}
