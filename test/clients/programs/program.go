package main

import (
	"context"
	"log"
	"net/http"
	"os"
	"time"

	"example.com/local/service"
)

func main() {
	configuration := service.NewConfiguration()
	configuration.Servers = service.ServerConfigurations{{URL: os.Getenv("BASE_URL")}}
	client := service.NewAPIClient(configuration)
	ctx := context.WithValue(context.Background(), service.ContextAccessToken, os.Getenv("API_KEY"))
	machineId := os.Getenv("MACHINE_ID")

	machines := done(client.MachinesAPI.ListMachines(ctx).Limit(10).Status([]service.MachineStatus{"connected", "error"}).Execute())
	isListed := false
	for _, machine := range machines.Items {
		isListed = isListed || machine.Id == machineId
	}
	check(isListed, "the machine is listed")

	health := done(client.HealthAPI.GetDatabaseHealth(ctx).Execute())
	check(health.ReachableDatabase.Status == "ok", "the database responds")

	scroll := service.NewScrollBody("down", 1)
	scroll.SetX(200)
	scroll.SetY(150)
	done(client.ComputerAPI.ScrollMouse(ctx, machineId).ScrollBody(*scroll).Execute())

	body := service.NewCreateRunBody(os.Getenv("WORKFLOW_ID"))
	body.SetMachineId(machineId)
	body.SetInputValues(map[string]interface{}{"item": "Desk lamp", "quantity": 3})
	body.SetSensitiveInputValues(map[string]string{"pin": "2468"})
	runId := done(client.RunsAPI.CreateRun(ctx).CreateRunBody(*body).Execute()).Id
	status := service.RUNSTATUS_SCHEDULING
	for status == service.RUNSTATUS_SCHEDULING || status == service.RUNSTATUS_RUNNING {
		time.Sleep(300 * time.Millisecond)
		status = done(client.RunsAPI.GetRun(ctx, runId).Execute()).Status
	}
	check(status == service.RUNSTATUS_SUCCESS, "the run is "+string(status))
	steps := done(client.RunsAPI.ListRunSteps(ctx, runId).Execute()).Items
	check(steps[0].Action["type"] == "click", "the first step is a click")
	check(steps[len(steps)-1].Status == "done", "the last step is done")

	file := service.NewCreateAttachmentBody(runId, service.ATTACHMENTTYPE_OUTPUT, "ä.txt")
	file.SetContent("YWJj")
	made := done(client.RunAttachmentsAPI.CreateRunAttachment(ctx).CreateAttachmentBody(*file).Execute())
	check(made.SizeBytes == 3, "the file has three bytes")
	downloaded := done(client.RunAttachmentsAPI.DownloadRunAttachment(ctx, made.Id).Execute())
	content, err := os.ReadFile(downloaded.Name())
	check(err == nil && string(content) == "abc", "the file is what was uploaded")
	os.Remove(downloaded.Name())
}

func done[Value any](value Value, _ *http.Response, err error) Value {
	if refused, isRefusal := err.(*service.GenericOpenAPIError); isRefusal {
		log.Fatal(err, string(refused.Body()))
	} else if err != nil {
		log.Fatal(err)
	}
	return value
}

func check(isSo bool, sentence string) {
	if !isSo {
		log.Fatal("not so: ", sentence)
	}
}
