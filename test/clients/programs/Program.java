import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.ComputerApi;
import org.openapitools.client.api.HealthApi;
import org.openapitools.client.api.MachinesApi;
import org.openapitools.client.api.RunAttachmentsApi;
import org.openapitools.client.api.RunsApi;
import org.openapitools.client.model.AttachmentType;
import org.openapitools.client.model.CreateAttachmentBody;
import org.openapitools.client.model.CreateRunBody;
import org.openapitools.client.model.MachineStatus;
import org.openapitools.client.model.RunStatus;
import org.openapitools.client.model.RunStep;
import org.openapitools.client.model.ScrollBody;

public class Program {
  public static void main(String[] arguments) throws Exception {
    Map<String, String> env = System.getenv();
    UUID machineId = UUID.fromString(env.get("MACHINE_ID"));
    ApiClient client = new ApiClient().setBasePath(env.get("BASE_URL"));
    client.setBearerToken(env.get("API_KEY"));

    check(
        new MachinesApi(client)
            .listMachines().limit(10).status(List.of(MachineStatus.CONNECTED, MachineStatus.ERROR))
            .execute().getItems().stream()
            .anyMatch(machine -> machine.getId().equals(machineId)),
        "the machine is listed");

    check(
        "ok".equals(new HealthApi(client).getDatabaseHealth().execute().getReachableDatabase().getStatus().getValue()),
        "the database responds");

    ScrollBody scroll =
        new ScrollBody().direction(ScrollBody.DirectionEnum.DOWN).amount(1).x(200).y(150);
    new ComputerApi(client).scrollMouse(machineId, scroll).execute();

    RunsApi runs = new RunsApi(client);
    UUID runId =
        runs.createRun(
                new CreateRunBody()
                    .workflowId(UUID.fromString(env.get("WORKFLOW_ID")))
                    .machineId(machineId)
                    .inputValues(Map.of("item", "Desk lamp", "quantity", 3))
                    .sensitiveInputValues(Map.of("pin", "2468")))
            .execute()
            .getId();
    RunStatus status = RunStatus.SCHEDULING;
    while (status == RunStatus.SCHEDULING || status == RunStatus.RUNNING) {
      Thread.sleep(300);
      status = runs.getRun(runId).execute().getStatus();
    }
    check(status == RunStatus.SUCCESS, "the run is " + status);
    List<RunStep> steps = runs.listRunSteps(runId).execute().getItems();
    check("click".equals(steps.get(0).getAction().get("type")), "the first step is a click");
    check(
        steps.get(steps.size() - 1).getStatus() == RunStep.StatusEnum.DONE,
        "the last step is done");

    RunAttachmentsApi attachments = new RunAttachmentsApi(client);
    CreateAttachmentBody file =
        new CreateAttachmentBody()
            .runId(runId)
            .attachmentType(AttachmentType.OUTPUT)
            .filename("ä.txt")
            .content("YWJj");
    var made = attachments.createRunAttachment(file).execute();
    check(made.getSizeBytes() == 3, "the file has three bytes");
    var downloaded = attachments.downloadRunAttachment(made.getId()).execute();
    check(Files.readString(downloaded.toPath()).equals("abc"), "the file is what was uploaded");
    Files.delete(downloaded.toPath());
  }

  private static void check(boolean isSo, String sentence) {
    if (!isSo) throw new AssertionError("not so: " + sentence);
  }
}
