-- A profile asks the kernel about the places of its person alone, not about all places of the workspace.
drop function profiles.readable(text);
drop index profiles.place_workspace;
