@echo off
rem The command line of Dyno, on the Node that the package brings.
setlocal
set NODE_NO_WARNINGS=1
if not defined NODE_COMPILE_CACHE set NODE_COMPILE_CACHE=%LOCALAPPDATA%\dyno\compiled
"%~dp0..\resources\dyno\node\bin\node.exe" "%~dp0..\resources\dyno\workers\cli.js" %*
