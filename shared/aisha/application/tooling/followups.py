"""Follow-ups that several tools offer; `{name}` becomes the name of the record."""

from aisha.domain.tools import FollowUp

NEXT_STEPS = FollowUp("What should I do next?", "💡", "suggest_next_actions")
NEXT_STEPS_FOR_RECORD = FollowUp("What should I do next with {name}?", "💡", "suggest_next_actions")
PRIORITIES = FollowUp("What should I prioritize today?", "📅", "get_my_day")
MY_DAY = FollowUp("What is on my plate today?", "🗓️", "get_my_day")
PIPELINE = FollowUp("How does my pipeline look?", "📊", "get_pipeline_summary")
FORECAST = FollowUp("Forecast my pipeline", "📈", "forecast_pipeline")
HOTTEST_LEADS = FollowUp("Who are my hottest prospects?", "🔥", "search_leads")
OPEN_DEALS = FollowUp("Show my open deals", "💼", "search_opportunities")
CONTACTS_AT = FollowUp("Who do we know at {name}?", "👥", "search_contacts")
CREATE_ACTIVITY = FollowUp("Create an activity for {name}", "📅", "create_activity")
CREATE_FOLLOW_UP = FollowUp("Create a follow-up activity for {name}", "📅", "create_activity")
CREATE_CALL = FollowUp("Create a follow-up call with {name}", "📞", "create_activity")
PENDING_ACTIVITIES = FollowUp("Show all pending activities", "📋", "list_activities")
ADD_NOTE = FollowUp("Add a note about {name}", "📝", "create_note")
LIST_NOTES = FollowUp("Are there any notes about {name}?", "🗒️", "list_notes")
DRAFT_EMAIL = FollowUp("Send an email to {name}", "✉️", "draft_email")
ACTIVITIES_OF = FollowUp("Show activities for {name}", "🗓️", "list_activities")
MEMORIES = FollowUp("What did I ask you to remember?", "🧠", "memory")
STICKY_NOTES = FollowUp("Show my sticky notes", "📌", "stickynotes")
INSTRUCTIONS = FollowUp("Show my standing instructions", "📋", "manage_prompt")
