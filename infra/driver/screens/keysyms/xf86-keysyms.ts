/** Each keysym is given by its last four hexadecimal digits; all begin with 0x1008. */
const pairs = `
ModeLock:ff01 MonBrightnessUp:ff02 MonBrightnessDown:ff03 KbdLightOnOff:ff04 KbdBrightnessUp:ff05
KbdBrightnessDown:ff06 MonBrightnessCycle:ff07 Standby:ff10 AudioLowerVolume:ff11 AudioMute:ff12
AudioRaiseVolume:ff13 AudioPlay:ff14 AudioStop:ff15 AudioPrev:ff16 AudioNext:ff17 HomePage:ff18 Mail:ff19
Start:ff1a Search:ff1b AudioRecord:ff1c Calculator:ff1d Memo:ff1e ToDoList:ff1f Calendar:ff20
PowerDown:ff21 ContrastAdjust:ff22 RockerUp:ff23 RockerDown:ff24 RockerEnter:ff25 Back:ff26 Forward:ff27
Stop:ff28 Refresh:ff29 PowerOff:ff2a WakeUp:ff2b Eject:ff2c ScreenSaver:ff2d WWW:ff2e Sleep:ff2f
Favorites:ff30 AudioPause:ff31 AudioMedia:ff32 MyComputer:ff33 VendorHome:ff34 LightBulb:ff35 Shop:ff36
History:ff37 OpenURL:ff38 AddFavorite:ff39 HotLinks:ff3a BrightnessAdjust:ff3b Finance:ff3c Community:ff3d
AudioRewind:ff3e BackForward:ff3f Launch0:ff40 Launch1:ff41 Launch2:ff42 Launch3:ff43 Launch4:ff44
Launch5:ff45 Launch6:ff46 Launch7:ff47 Launch8:ff48 Launch9:ff49 LaunchA:ff4a LaunchB:ff4b LaunchC:ff4c
LaunchD:ff4d LaunchE:ff4e LaunchF:ff4f ApplicationLeft:ff50 ApplicationRight:ff51 Book:ff52 CD:ff53
Calculater:ff54 Clear:ff55 Close:ff56 Copy:ff57 Cut:ff58 Display:ff59 DOS:ff5a Documents:ff5b Excel:ff5c
Explorer:ff5d Game:ff5e Go:ff5f iTouch:ff60 LogOff:ff61 Market:ff62 Meeting:ff63 MenuKB:ff65 MenuPB:ff66
MySites:ff67 New:ff68 News:ff69 OfficeHome:ff6a Open:ff6b Option:ff6c Paste:ff6d Phone:ff6e Q:ff70
Reply:ff72 Reload:ff73 RotateWindows:ff74 RotationPB:ff75 RotationKB:ff76 Save:ff77 ScrollUp:ff78
ScrollDown:ff79 ScrollClick:ff7a Send:ff7b Spell:ff7c SplitScreen:ff7d Support:ff7e TaskPane:ff7f
Terminal:ff80 Tools:ff81 Travel:ff82 UserPB:ff84 User1KB:ff85 User2KB:ff86 Video:ff87 WheelButton:ff88
Word:ff89 Xfer:ff8a ZoomIn:ff8b ZoomOut:ff8c Away:ff8d Messenger:ff8e WebCam:ff8f MailForward:ff90
Pictures:ff91 Music:ff92 Battery:ff93 Bluetooth:ff94 WLAN:ff95 UWB:ff96 AudioForward:ff97 AudioRepeat:ff98
AudioRandomPlay:ff99 Subtitle:ff9a AudioCycleTrack:ff9b CycleAngle:ff9c FrameBack:ff9d FrameForward:ff9e
Time:ff9f Select:ffa0 View:ffa1 TopMenu:ffa2 Red:ffa3 Green:ffa4 Yellow:ffa5 Blue:ffa6 Suspend:ffa7
Hibernate:ffa8 TouchpadToggle:ffa9 TouchpadOn:ffb0 TouchpadOff:ffb1 AudioMicMute:ffb2 Keyboard:ffb3
WWAN:ffb4 RFKill:ffb5 AudioPreset:ffb6 RotationLockToggle:ffb7 FullScreen:ffb8 Switch_VT_1:fe01
Switch_VT_2:fe02 Switch_VT_3:fe03 Switch_VT_4:fe04 Switch_VT_5:fe05 Switch_VT_6:fe06 Switch_VT_7:fe07
Switch_VT_8:fe08 Switch_VT_9:fe09 Switch_VT_10:fe0a Switch_VT_11:fe0b Switch_VT_12:fe0c Ungrab:fe20
ClearGrab:fe21 Next_VMode:fe22 Prev_VMode:fe23 LogWindowTree:fe24 LogGrabInfo:fe25 BrightnessAuto:10f4
DisplayOff:10f5 Info:1166 AspectRatio:1177 DVD:1185 Audio:1188 ChannelUp:1192 ChannelDown:1193 Break:119b
VideoPhone:11a0 ZoomReset:11a4 Editor:11a6 GraphicsEditor:11a8 Presentation:11a9 Database:11aa
Voicemail:11ac Addressbook:11ad DisplayToggle:11af SpellCheck:11b0 ContextMenu:11b6 MediaRepeat:11b7
10ChannelsUp:11b8 10ChannelsDown:11b9 Images:11ba NotificationCenter:11bc PickupPhone:11bd HangupPhone:11be
Fn:11d0 Fn_Esc:11d1 FnRightShift:11e5 Numeric0:1200 Numeric1:1201 Numeric2:1202 Numeric3:1203 Numeric4:1204
Numeric5:1205 Numeric6:1206 Numeric7:1207 Numeric8:1208 Numeric9:1209 NumericStar:120a NumericPound:120b
NumericA:120c NumericB:120d NumericC:120e NumericD:120f CameraFocus:1210 WPSButton:1211 CameraZoomIn:1215
CameraZoomOut:1216 CameraUp:1217 CameraDown:1218 CameraLeft:1219 CameraRight:121a AttendantOn:121b
AttendantOff:121c AttendantToggle:121d LightsToggle:121e ALSToggle:1230 Buttonconfig:1240 Taskmanager:1241
Journal:1242 ControlPanel:1243 AppSelect:1244 Screensaver:1245 VoiceCommand:1246 Assistant:1247
EmojiPicker:1249 Dictate:124a BrightnessMin:1250 BrightnessMax:1251 KbdInputAssistPrev:1260
KbdInputAssistNext:1261 KbdInputAssistPrevgroup:1262 KbdInputAssistNextgroup:1263 KbdInputAssistAccept:1264
KbdInputAssistCancel:1265 RightUp:1266 RightDown:1267 LeftUp:1268 LeftDown:1269 RootMenu:126a
MediaTopMenu:126b Numeric11:126c Numeric12:126d AudioDesc:126e 3DMode:126f NextFavorite:1270
StopRecord:1271 PauseRecord:1272 VOD:1273 Unmute:1274 FastReverse:1275 SlowReverse:1276 Data:1277
OnScreenKeyboard:1278 PrivacyScreenToggle:1279 SelectiveScreenshot:127a Macro1:1290 Macro2:1291 Macro3:1292
Macro4:1293 Macro5:1294 Macro6:1295 Macro7:1296 Macro8:1297 Macro9:1298 Macro10:1299 Macro11:129a
Macro12:129b Macro13:129c Macro14:129d Macro15:129e Macro16:129f Macro17:12a0 Macro18:12a1 Macro19:12a2
Macro20:12a3 Macro21:12a4 Macro22:12a5 Macro23:12a6 Macro24:12a7 Macro25:12a8 Macro26:12a9 Macro27:12aa
Macro28:12ab Macro29:12ac Macro30:12ad MacroRecordStart:12b0 MacroRecordStop:12b1 MacroPresetCycle:12b2
MacroPreset1:12b3 MacroPreset2:12b4 MacroPreset3:12b5 KbdLcdMenu1:12b8 KbdLcdMenu2:12b9 KbdLcdMenu3:12ba
KbdLcdMenu4:12bb KbdLcdMenu5:12bc
`;

/** Source: https://gitlab.freedesktop.org/xorg/proto/xorgproto/-/blob/xorgproto-2022.1/include/X11/XF86keysym.h */
export const xf86Keysyms: readonly (readonly [name: string, keysym: number])[] = pairs
  .trim()
  .split(/\s+/)
  .map((pair) => {
    const [name = "", digits = ""] = pair.split(":");
    return [name, 0x1008_0000 + Number.parseInt(digits, 16)];
  });
