; Installs Dyno for the user who runs it, without administrator's rights, into %LOCALAPPDATA%\Programs\Dyno.
; makensis gets: VERSION, SOURCE (the app's folder), OUT (the installer).
Unicode true
SetCompressor /SOLID lzma
Name "Dyno"
OutFile "${OUT}"
InstallDir "$LOCALAPPDATA\Programs\Dyno"
RequestExecutionLevel user
ShowInstDetails nevershow
ShowUninstDetails nevershow
!include MUI2.nsh
!define MUI_ICON "${ICON}"
!define MUI_UNICON "${ICON}"
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"

!define CLASSES "Software\Classes"
!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\Dyno"

!macro associate EXTENSION ID LABEL
  WriteRegStr HKCU "${CLASSES}\${EXTENSION}" "" "${ID}"
  WriteRegStr HKCU "${CLASSES}\${ID}" "" "${LABEL}"
  WriteRegStr HKCU "${CLASSES}\${ID}\DefaultIcon" "" "$INSTDIR\Dyno.exe,0"
  WriteRegStr HKCU "${CLASSES}\${ID}\shell\open\command" "" '"$INSTDIR\Dyno.exe" "%1"'
!macroend

; A running program cannot be deleted, and half of Dyno must not be: asks until no file is in use any more.
!macro waitUntilClosed UN
Function ${UN}waitForFile
  Exch $0
  again:
  IfFileExists "$0" 0 closed
  ClearErrors
  FileOpen $1 "$0" a
  IfErrors inUse
  FileClose $1
  Goto closed
  inUse:
  MessageBox MB_RETRYCANCEL|MB_ICONEXCLAMATION "Dyno is running. End its runs, close its window, then try again." /SD IDCANCEL IDRETRY again
  Abort
  closed:
  Pop $0
FunctionEnd
!macroend
!insertmacro waitUntilClosed ""
!insertmacro waitUntilClosed "un."

!macro requireClosed UN
  Push "$INSTDIR\Dyno.exe"
  Call ${UN}waitForFile
  Push "$INSTDIR\resources\dyno\node\bin\node.exe"
  Call ${UN}waitForFile
!macroend

Section
  ; Always this folder: the uninstaller deletes it with everything in it.
  StrCpy $INSTDIR "$LOCALAPPDATA\Programs\Dyno"
  !insertmacro requireClosed ""
  RMDir /r "$INSTDIR"
  SetOutPath "$INSTDIR"
  File /r "${SOURCE}/*"
  CreateShortcut "$SMPROGRAMS\Dyno.lnk" "$INSTDIR\Dyno.exe"
  ; Windows knows only the part after the last dot, so *.dyno.yaml stays with the YAML editor: "Open with" offers Dyno.
  !insertmacro associate ".dyno-run" "Dyno.Run" "Dyno run"
  WriteRegStr HKCU "${CLASSES}\Applications\Dyno.exe\shell\open\command" "" '"$INSTDIR\Dyno.exe" "%1"'
  WriteRegStr HKCU "${CLASSES}\Applications\Dyno.exe\SupportedTypes" ".yaml" ""
  WriteRegStr HKCU "${CLASSES}\.yaml\OpenWithList\Dyno.exe" "" ""
  WriteRegStr HKCU "${CLASSES}\dyno" "" "URL:Dyno"
  WriteRegStr HKCU "${CLASSES}\dyno" "URL Protocol" ""
  WriteRegStr HKCU "${CLASSES}\dyno\shell\open\command" "" '"$INSTDIR\Dyno.exe" "%1"'
  WriteUninstaller "$INSTDIR\Uninstall.exe"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayName" "Dyno"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayIcon" "$INSTDIR\Dyno.exe,0"
  WriteRegStr HKCU "${UNINSTALL}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKCU "${UNINSTALL}" "UninstallString" '"$INSTDIR\Uninstall.exe"'
SectionEnd

Section "Uninstall"
  !insertmacro requireClosed "un."
  RMDir /r "$INSTDIR"
  Delete "$SMPROGRAMS\Dyno.lnk"
  DeleteRegKey HKCU "${CLASSES}\.dyno-run"
  DeleteRegKey HKCU "${CLASSES}\Dyno.Run"
  DeleteRegKey HKCU "${CLASSES}\Applications\Dyno.exe"
  DeleteRegKey HKCU "${CLASSES}\.yaml\OpenWithList\Dyno.exe"
  DeleteRegKey HKCU "${CLASSES}\dyno"
  DeleteRegKey HKCU "${UNINSTALL}"
SectionEnd
