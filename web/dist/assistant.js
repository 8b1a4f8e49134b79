/*! AiSHA, Apache-2.0; with lit, marked, DOMPurify, eventsource-parser: NOTICES.txt */
import{a as e,b as t,c as s,d as a,e as i,f as n,g as o,h as r,i as l,j as h,k as d,l as c,m as p,n as u,o as m,p as g,q as y,r as v,s as b,t as w,u as f,w as $}from"./parts/chunk-WVHLYAZO.js";import{a as k}from"./parts/chunk-DHP5BHIK.js";var _=class extends a{constructor(){super(...arguments),this.earlier=[],this.placeholder="",this.heard="",this.busy=!1,this.listening=!1,this.voice=!1,this.planning=!1,this.text="",this.recalled=-1}fill(e){this.text=e,this.area.value=e,this.fit()}updated(){this.listening&&this.area.value!==this.heard&&(this.area.value=this.heard,this.fit())}render(){let{words:e}=this,a=this.text.length-8e3;return t`<div class="box ${this.listening?"listening":""}">
<textarea
rows="1"
dir="auto"
enterkeyhint="send"
aria-label=${e.say("message_box")}
aria-describedby="hint"
placeholder=${this.listening?e.say("placeholder_listening"):this.placeholder}
?readonly=${this.listening}
@input=${this.typed}
@keydown=${this.pressed}
></textarea>
<span id="hint" class="hidden-text">${e.say("keys_hint")}</span>
${this.plan()} ${this.voice?this.microphone():s}
${this.busy?t`<button
class="icon-button send"
aria-label=${e.say("stop")}
title=${e.say("stop")}
@click=${this.stop}
>
${c("stop",16)}
</button>`:t`<button
class="icon-button send"
aria-label=${e.say("send")}
title=${e.say("send")}
?disabled=${!this.text.trim()||a>0||this.listening}
@click=${this.send}
>
${c("send")}
</button>`}
</div>
${a>0?t`<p class="problem" role="alert">${e.say("too_long",{count:e.number(a)})}</p>`:s}`}plan(){let e=this.words.say("plan_first");return t`<button
class="icon-button plan"
aria-label=${e}
title="${e}: ${this.words.say("plan_about")}"
aria-pressed=${this.planning}
@click=${()=>this.tell("plan")}
>
${c("plan")}
</button>`}microphone(){let e=this.words.say(this.listening?"talking":"talk");return t`<button
class="icon-button mic"
aria-label=${e}
title=${e}
aria-pressed=${this.listening}
?disabled=${this.busy}
@pointerdown=${e=>0===e.button&&this.tell("talk")}
@pointerup=${()=>this.tell("release")}
@pointercancel=${()=>this.tell("release")}
@lostpointercapture=${()=>this.listening&&this.tell("release")}
@keydown=${e=>x(e)&&!e.repeat&&this.tell("talk")}
@keyup=${e=>x(e)&&this.tell("release")}
@contextmenu=${e=>e.preventDefault()}
>
${c("mic")}
</button>`}typed(){this.text=this.area.value,this.recalled=-1,this.fit()}pressed(e){e.isComposing||("Enter"!==e.key||e.shiftKey||e.altKey?("ArrowUp"===e.key&&!this.text||this.recalled>=0&&/^Arrow(Up|Down)$/.test(e.key))&&this.recall(e):(e.preventDefault(),this.send()))}recall(e){let t=this.recalled+("ArrowUp"===e.key?1:-1);t>=this.earlier.length||(e.preventDefault(),this.fill(t<0?"":this.earlier[t]),this.recalled=t,this.area.setSelectionRange(this.text.length,this.text.length))}send(){let e=this.text.trim();!e||this.busy||e.length>8e3||(this.fill(""),this.recalled=-1,this.tell("send",e))}stop(){this.tell("stop"),this.area.focus()}fit(){this.area.style.height="auto",this.area.style.height=`${Math.min(this.area.scrollHeight,180)}px`}tell(e,t){this.dispatchEvent(new CustomEvent(e,{detail:t}))}};function x(e){return" "===e.key||"Enter"===e.key}_.shadowRootOptions={...a.shadowRootOptions,delegatesFocus:!0},_.styles=[m,e`:host{display:block;padding:var(--aisha-2) var(--aisha-4) var(--aisha-3)}.box{display:flex;align-items:flex-end;gap:var(--aisha-1);max-inline-size:760px;margin-inline:auto;padding:5px;background:var(--aisha-raised);border:1px solid var(--aisha-line-strong);border-radius:var(--aisha-radius-l)}.box:focus-within{border-color:var(--aisha-accent);box-shadow:0 0 0 1px var(--aisha-accent)}.box.listening{border-color:var(--aisha-danger)}textarea{flex:1;min-inline-size:0;min-block-size:36px;max-block-size:180px;padding:7px var(--aisha-2);line-height:22px;font-size:var(--aisha-text-m);resize:none;border:0;outline:0;background:none;scrollbar-width:thin;overflow-wrap:anywhere}textarea::placeholder{white-space:nowrap;overflow:hidden;text-overflow:ellipsis}textarea:focus-visible{outline:none}.send{background:var(--aisha-accent-fill);color:var(--aisha-on-accent);border-radius:11px}.send:hover:not(:disabled){background:var(--aisha-accent-fill);color:var(--aisha-on-accent);filter:brightness(1.1)}.send:disabled{background:var(--aisha-hover);color:var(--aisha-muted);opacity:1}.plan[aria-pressed=true]{background:var(--aisha-accent-soft);color:var(--aisha-accent)}.mic[aria-pressed=true]{background:var(--aisha-danger-fill);color:#fff}.problem{max-inline-size:760px;margin:var(--aisha-1) auto 0;padding-inline:var(--aisha-2);font-size:var(--aisha-text-xs);color:var(--aisha-danger)}`],k([i({attribute:!1})],_.prototype,"words",2),k([i({attribute:!1})],_.prototype,"earlier",2),k([i()],_.prototype,"placeholder",2),k([i()],_.prototype,"heard",2),k([i({type:Boolean})],_.prototype,"busy",2),k([i({type:Boolean})],_.prototype,"listening",2),k([i({type:Boolean})],_.prototype,"voice",2),k([i({type:Boolean})],_.prototype,"planning",2),k([n()],_.prototype,"text",2),k([o("textarea")],_.prototype,"area",2),_=k([d("aisha-composer")],_);var z=class extends a{constructor(){super(...arguments),this.mood=null,this.name="",this.state="idle",this.view="chat",this.minimisable=!1,this.fresh=!1,this.aloud=!1}render(){let{words:e,mood:a}=this;return t`
<span class="mark" aria-hidden="true">${this.name.slice(0,1)}</span>
<div class="who">
<h2>${this.name}</h2>
<p>
<span class="light ${this.state}" aria-hidden="true"></span>
<span>${e.say(`state_${this.state}`)}</span>
${a?this.moodMark(a):s}
</p>
</div>
${this.sound()} ${this.button("new_conversation","plus",()=>this.tell("clear"),void 0,this.fresh)}
${this.button("history","history",()=>this.show("history"),"history"===this.view)}
${this.button("settings","settings",()=>this.show("settings"),"settings"===this.view)}
${this.minimisable?this.button("minimise","minimise",()=>this.tell("minimise")):s}
`}moodMark(e){let s=this.words.say("mood",{mood:this.words.named("mood_",e.sentiment,e.sentiment)});return t`<span role="img" aria-label=${s} title=${s}>${e.emoji}</span>`}button(e,a,i,n,o=!1){let r=this.words.say(e);return t`<button
class="icon-button"
aria-label=${r}
title=${r}
aria-expanded=${n??s}
?disabled=${o}
@click=${i}
>
${c(a)}
</button>`}sound(){let e=this.words.say("read_answers");return t`<button
class="icon-button"
aria-label=${e}
title=${this.aloud?this.words.say("mute"):e}
aria-pressed=${this.aloud}
@click=${()=>this.tell("sound")}
>
${c(this.aloud?"speak":"mute")}
</button>`}show(e){this.dispatchEvent(new CustomEvent("view",{detail:this.view===e?"chat":e}))}tell(e){this.dispatchEvent(new CustomEvent(e))}};z.styles=[m,e`:host{display:flex;align-items:center;gap:var(--aisha-1);min-block-size:56px;padding:var(--aisha-2) var(--aisha-3) var(--aisha-2) var(--aisha-4);padding-inline:var(--aisha-4) var(--aisha-2);border-block-end:1px solid var(--aisha-line)}.mark{position:relative;display:grid;place-items:center;inline-size:32px;block-size:32px;flex:none;margin-inline-end:var(--aisha-2);border-radius:10px;background:var(--aisha-accent-fill);color:var(--aisha-on-accent);font-weight:700}.who{flex:1;min-inline-size:0;line-height:1.3}h2{margin:0;font-size:var(--aisha-text-m);font-weight:650;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}p{display:flex;align-items:center;gap:6px;margin:0;font-size:var(--aisha-text-xs);color:var(--aisha-muted)}.light{inline-size:8px;block-size:8px;border-radius:50%;background:var(--aisha-good)}.light.processing,.light.listening,.light.speaking{background:var(--aisha-accent);animation:pulse 1.2s ease-in-out infinite}.light.error{background:var(--aisha-danger)}.light.offline{background:var(--aisha-warn)}@keyframes pulse{50%{opacity:.35}}`],k([i({attribute:!1})],z.prototype,"words",2),k([i({attribute:!1})],z.prototype,"mood",2),k([i()],z.prototype,"name",2),k([i()],z.prototype,"state",2),k([i()],z.prototype,"view",2),k([i({type:Boolean})],z.prototype,"minimisable",2),k([i({type:Boolean})],z.prototype,"fresh",2),k([i({type:Boolean})],z.prototype,"aloud",2),z=k([d("aisha-header")],z);var A={"not-allowed":"microphone","service-not-allowed":"microphone","audio-capture":"microphone","no-speech":"no_speech",network:"unreachable"};function C(){let e=globalThis;return e.SpeechRecognition??e.webkitSpeechRecognition}var T=class{constructor(e,t){this.recogniser=new(C()),Object.assign(this.recogniser,{lang:e,continuous:!0,interimResults:!0}),this.heard=new Promise(e=>{let s="",a=null;this.recogniser.addEventListener("result",e=>{let{results:a}=e;s=Array.from(a,e=>e[0].transcript).join(" ").replace(/\s+/g," ").trim(),t(s)}),this.recogniser.addEventListener("error",e=>{let t=e.error;a={problem:A[t]??"no_speech"}}),this.recogniser.addEventListener("end",()=>e(s?{text:s}:a??{problem:"no_speech"}))}),this.recogniser.start()}finish(){this.recogniser.stop()}},S="aisha.";function E(e){try{return localStorage.getItem(S+e)}catch{return null}}function q(e,t){try{null===t?localStorage.removeItem(S+e):localStorage.setItem(S+e,t)}catch{}}var L={accept:"suggestion_done",dismiss:"suggestion_dismissed",snooze:"suggestion_snoozed"},R=class extends a{constructor(){super(...arguments),this.items=[],this.busy=null,this.failures=new Map}connectedCallback(){super.connectedCallback(),this.load()}render(){let{words:e,items:a}=this;return a.length?t`<h3>${e.say("open_suggestions")}</h3>
<ul>
${a.map(a=>t`<li>
${a.priority>=9?t`<span class="urgent">${e.say("urgent")}</span>`:s}
<button class="record" @click=${()=>this.actions.openRecord(a.entity)}>
${p(a.entity.type)}<span dir="auto">${a.entity.name}</span>
</button>
<p dir="auto">${a.text}</p>
${this.failures.has(a.id)?t`<p class="failed" role="alert">${this.failures.get(a.id)}</p>`:s}
<div class="buttons">
${a.tool?this.button(a,"accept","suggestion_accept"):s}
${this.button(a,"snooze","suggestion_snooze")}
${this.button(a,"dismiss","suggestion_dismiss")}
</div>
</li>`)}
</ul>`:s}button(e,s,a){return t`<button
class="button ${"accept"===s?"primary":""}"
aria-label="${this.words.say(a)}: ${e.entity.name}"
?disabled=${null!==this.busy}
@click=${()=>this.decide(e,s)}
>
${this.words.say(a)}
</button>`}async load(){try{let e={limit:3};this.items=(await h(this.api.rest.GET("/api/ai/suggestions",{params:{query:e}}))).suggestions}catch{this.items=[]}}async decide(e,t){this.busy=e.id,this.failures=new Map([...this.failures].filter(([t])=>t!==e.id));let s={path:{id:e.id}},{rest:a}=this.api;try{"dismiss"===t?await a.POST("/api/ai/suggestions/{id}/dismiss",{params:s}):"snooze"===t?await a.POST("/api/ai/suggestions/{id}/snooze",{params:s,body:{}}):await this.accept(e,await h(a.POST("/api/ai/suggestions/{id}/accept",{params:s,body:{}}))),this.items=this.items.filter(t=>t.id!==e.id),this.actions.announce(this.words.say(L[t])),this.items.length||await this.load()}catch(t){this.failures=new Map(this.failures).set(e.id,b(v(t),this.words))}finally{this.busy=null}}async accept(e,t){if(!t.success){let s=t.toolCall?.error?.message;throw new Error("string"==typeof s?s:e.text)}let{changes:s}=g(t.toolCall?.result);this.dispatchEvent(new CustomEvent("changes",{detail:s}))}};R.styles=[m,e`:host{display:block}h3{margin:var(--aisha-5) 0 var(--aisha-2);font-size:var(--aisha-text-s);font-weight:600}ul{display:grid;gap:var(--aisha-2);margin:0;padding:0;list-style:none}li{padding:var(--aisha-3);border:1px solid var(--aisha-line);border-radius:var(--aisha-radius);font-size:var(--aisha-text-s);line-height:1.45}.record{display:inline-flex;align-items:center;gap:6px;max-inline-size:100%;font-weight:600;text-align:start;color:var(--aisha-accent);overflow-wrap:anywhere}.record svg{flex:none}.urgent{float:inline-end;padding:1px 8px;font-size:var(--aisha-text-xs);color:var(--aisha-warn);background:var(--aisha-warn-soft);border-radius:10px}p{margin:var(--aisha-1) 0 var(--aisha-2);overflow-wrap:anywhere}.failed{color:var(--aisha-danger)}.buttons{display:flex;flex-wrap:wrap;gap:var(--aisha-2)}.buttons .button{min-block-size:30px;padding:3px 12px}`],k([i({attribute:!1})],R.prototype,"api",2),k([i({attribute:!1})],R.prototype,"words",2),k([i({attribute:!1})],R.prototype,"actions",2),k([n()],R.prototype,"items",2),k([n()],R.prototype,"busy",2),k([n()],R.prototype,"failures",2),R=k([d("aisha-suggestions")],R);var D={assistant:"Assistant",open:"Open the assistant",open_unread:"Open the assistant: a new answer",minimise:"Minimise",new_conversation:"New conversation",history:"Conversations",settings:"Settings",close:"Close",state_idle:"Ready",state_listening:"Listening…",state_processing:"Working…",state_speaking:"Speaking…",state_error:"Something needs you",state_offline:"Offline",offline:"You are offline. What you send waits until you are back.",back_online:"You are back online.",loading:"Loading the conversation…",welcome_title:"What can I do for you?",welcome_text:"Ask about your customers and deals, or tell me what to change. I ask before anything that can’t be taken back.",quick:"Start with one of these",quick_status:"Status",quick_status_text:"What is on my plate today?",quick_next:"Next step",quick_next_text:"What should I do next?",quick_analyze:"Analyze",quick_analyze_text:"How does my pipeline look?",quick_record:"This record",quick_record_text:"Summarize the record on this page",open_suggestions:"Waiting for you",message_box:"Message",placeholder:"Ask, or say what to change",placeholder_pending:"Yes, no, or what to do instead",placeholder_listening:"Listening: speak now",send:"Send",stop:"Stop",too_long:"{count} characters too many. Please shorten the message.",keys_hint:"Enter sends, Shift+Enter starts a new line",you_said:"You said",assistant_said:"{name} said",transcript:"Conversation",thinking:"Thinking…",to_newest:"To the newest message",copy:"Copy answer",copied:"Copied",read_aloud:"Read aloud",stop_reading:"Stop reading",good_answer:"Good answer",bad_answer:"Bad answer",why_bad:"What was wrong?",why_wrong:"It is not true",why_misread:"It misunderstood me",why_incomplete:"Something is missing",why_slow:"It took too long",why_other:"Something else",thanks:"Thank you.",answer_actions:"Actions for this answer",stopped:"Stopped. What was done before stays done.",unfinished:"This answer was cut off.",degraded:"A stand-in model answered, because the usual one is unavailable.",undo_one:"Undo",undo_other:"Undo {count} changes",undone:"Undone",undone_names:"Taken back: {names}",timing:"{total} in total",timing_model:"{llm} model",steps_one:"{count} step",steps_other:"{count} steps",step_running:"running",step_done:"done",step_failed:"failed",step_waiting:"waits for you",no_arguments:"Without details",found_one:"{count} found",found_other:"{count} found",insights:"Worth knowing",sources:"Based on",scans:"Scans that fit",run_scan_text:"Run the {name} scan",scan_data_quality:"data quality",scan_deals_at_risk:"deals at risk",scan_goal_progress:"goal progress",scan_next_steps:"next steps",scan_overdue_activities:"overdue activities",scan_stale_leads:"stale leads",follow_ups:"You could ask",open_record:"Open {type} {name}",mood:"Mood: {mood}",mood_positive:"positive",mood_neutral:"neutral",mood_negative:"negative",confirm_title:"Please confirm",confirm_title_danger:"Please check before you confirm",confirm_choose:"Which one do you mean?",confirm_yes:"Yes, do it",confirm_yes_delete:"Yes, delete",confirm_yes_send:"Yes, send",confirm_no:"No, leave it",confirm_none:"None of these",confirm_details:"Exactly this will be done",confirm_time:"{time} left to decide",confirm_expired:"The time to decide has run out. Nothing was done.",confirm_approved:"You agreed.",confirm_rejected:"You declined. Nothing was done.",confirm_settled:"This question is closed.",confirm_again:"Ask again",confirm_needed:"A question waits for your answer: {question}",nothing:"nothing",yes:"yes",no:"no",suggestion_accept:"Do it",suggestion_dismiss:"Dismiss",suggestion_snooze:"Tomorrow",suggestion_done:"Done.",suggestion_dismissed:"Dismissed.",suggestion_snoozed:"I’ll bring it up again tomorrow.",urgent:"Urgent",search_conversations:"Search conversations",no_conversations:"No conversations yet.",no_matches:"No conversation has these words.",more:"Show more",rename:"Rename",rename_label:"New name of the conversation",save:"Save",cancel:"Cancel",delete:"Delete",delete_question:"Delete this conversation for good?",export:"Save as a file",untitled:"Conversation",theme:"Appearance",theme_midnight:"Midnight",theme_light:"Light",theme_system:"Follow the system",mode:"How I answer",model:"Model",model_default:"The usual one",voice:"Voice",voice_default:"The browser’s choice",read_answers:"Read answers aloud",talk:"Hold to talk",talking:"Release to send",mute:"Mute",error_title:"That did not work",error_offline:"You are offline. This is sent as soon as you are back.",error_unreachable:"The assistant can’t be reached. Check your connection and try again.",error_cut_off:"The connection broke off. Try again: nothing is done twice.",error_unexpected:"Something unexpected happened on this page. Try again; if it stays, reload the page.",error_unexpected_content:"Something between this page and the assistant answered in its place. Try again; if it stays, tell your admin.",error_no_token:"This page could not sign you in. Reload it, or sign in to your CRM again.",error_400:"The assistant could not read this request. Reload the page and try again.",error_401:"Your sign-in has run out. Sign in to your CRM again; your message is kept.",error_402:"The assistant’s budget for this month is used up. Ask your admin.",error_403:"You are not allowed to do this. Ask your admin if you need it.",error_404:"This no longer exists, or you may not see it.",error_409:"It was changed or decided elsewhere meanwhile. Look at how it is now, then ask again.",error_410:"This question has expired or was answered already. Ask again if you still want it.",error_413:"This message is too long. Please shorten it.",error_422:"Something in this message can’t be used.",error_429:"That was a lot at once. Please wait a moment.",error_500:"Something went wrong on our side. Try again: nothing is done twice.",error_501:"This is not set up here. Ask your admin.",error_503:"The assistant is unavailable at the moment. Try again shortly.",error_504:"This took too long. Try again: nothing is done twice.",error_failed:"The assistant could not answer. Try again.",error_microphone:"The microphone can’t be used. Allow it in the browser, or type.",error_no_speech:"I heard nothing. Hold the button while you speak.",error_no_recognition:"This browser can’t listen. Please type.",retry:"Try again",retry_in:"Try again in {seconds} s",reference:"Reference for your admin: {id}",needs_data:"I need data that this page has not shared: {names}.",type_lead:"lead",type_contact:"contact",type_account:"account",type_opportunity:"deal",type_activity:"activity",type_note:"note",type_document:"document",tool_search:"Searching {what}",tool_get:"Looking up {what}",tool_list:"Looking through {what}",tool_create:"Creating {what}",tool_update:"Changing {what}",tool_delete:"Deleting {what}",mode_default:"Balanced",mode_about_default:"Complete answers of the usual length.",mode_brief:"Brief",mode_about_brief:"Two sentences at most.",mode_coach:"Coach",mode_about_coach:"Explains its reasons and asks a question that helps you on.",mode_voice:"For listening",mode_about_voice:"Short, without lists or tables.",does_advance_opportunity_stage:"Moving the deal",does_analyze_sentiment:"Reading the mood",does_complete_activity:"Completing the activity",does_convert_lead:"Converting the lead",does_draft_email:"Drafting the email",does_find_similar:"Looking for similar records",does_forecast_pipeline:"Working out the forecast",does_get_my_day:"Looking at your day",does_get_pipeline_summary:"Adding up the pipeline",does_navigate_to_page:"Opening the page",does_read_document:"Reading the document",does_req_more_info:"Asking this page for data",does_run_scan:"Running a scan",does_schedule_meeting:"Scheduling the meeting",does_score_lead:"Scoring the lead",does_send_email:"Sending the email",does_suggest_next_actions:"Thinking about next steps",does_summarize_record:"Summing up the record",does_undo_last:"Undoing the last change",does_bulk_create_activities:"Creating activities",does_manage_prompt:"Looking at your instructions",does_memory:"Looking at what I remember",does_stickynotes:"Looking at your reminders",types_leads:"leads",types_contacts:"contacts",types_accounts:"accounts",types_opportunities:"deals",types_activities:"activities",types_notes:"notes",types_documents:"documents",types_goals:"goals",type_goal:"goal",error_nothing_to_undo:"There is nothing left to take back here.",plan_first:"Plan first",plan_about:"I show all steps and ask once",plan_steps:"Steps of the plan",plan_planned:"planned",plan_running:"at work",plan_executed:"done",plan_failed:"failed",plan_rejected:"not allowed",plan_skipped:"left out",plan_undone:"taken back"},N={de:()=>import("./parts/de-WGBXPTC5.js"),es:()=>import("./parts/es-LHOD74HB.js"),fr:()=>import("./parts/fr-G65GABDH.js")},O=new Set(["ar","arc","ckb","dv","fa","he","ks","ku","ps","sd","ug","ur","yi"]),P=class{constructor(e,t="en",s=D){this.locale=e,this.language=t,this.catalogue=s,this.plurals=new Intl.PluralRules(t)}get direction(){return O.has(this.locale.split("-")[0].toLowerCase())?"rtl":"ltr"}say(e,t={}){return M(this.catalogue[e]??D[e],t)}english(e){return D[e]}count(e,t,s={}){let a=`${e}_${this.plurals.select(t)}`;return M(this.catalogue[a]??this.catalogue[`${e}_other`]??"",{...s,count:this.number(t)})}named(e,t,s){return this.catalogue[`${e}${t}`]??s}number(e,t){return e.toLocaleString(this.locale,t)}time(e){return e.toLocaleTimeString(this.locale,{hour:"numeric",minute:"2-digit"})}moment(e,t=new Date){if(e.toDateString()===t.toDateString())return this.time(e);let s=e.getFullYear()===t.getFullYear()?void 0:"numeric";return`${e.toLocaleDateString(this.locale,{day:"numeric",month:"short",year:s})}, ${this.time(e)}`}seconds(e){let t=e<9950?1:0;return`${this.number(e/1e3,{minimumFractionDigits:t,maximumFractionDigits:t})} s`}};function M(e,t){return e.replace(/\{(\w+)\}/g,(e,s)=>String(t[s]??e))}function I(e){let t=e.replace(/([a-z\d])([A-Z])/g,"$1 $2").replace(/[_-]+/g," ").trim().toLowerCase();return t.charAt(0).toUpperCase()+t.slice(1)}var j=/^(lead|contact|account|opportunity|activity|note|document)_[A-Za-z0-9]+$/,U=/^\d{4}-\d\d-\d\dT\d\d:\d\d/,B=/^\d{4}-\d\d-\d\d$/;function K(e,s,a){let i=Object.entries(e).filter(([t])=>!(t.endsWith("_type")&&s.has(String(e[t.replace(/_type$/,"_id")]))));return i.length?t`<dl class="arguments">
${i.map(([e,i])=>t`<div>
<dt>${((e,t,s,a)=>{let i="string"==typeof t?s.get(t):void 0;return i&&/(^|_)(entity|record)?_?id$/.test(e)?(e=>e.charAt(0).toUpperCase()+e.slice(1))(a.named("type_",i.type,i.type)):I(e.replace(/_ids?$/,""))})(e,i,s,a)}</dt>
<dd dir="auto">${H(i,s,a)}</dd>
</div>`)}
</dl>`:t`<p class="none">${a.say("no_arguments")}</p>`}function H(e,s,a){return null==e||""===e?t`<em>${a.say("nothing")}</em>`:"boolean"==typeof e?a.say(e?"yes":"no"):"number"==typeof e?a.number(e,{maximumFractionDigits:6}):"string"==typeof e?((e,t,s)=>{let a=t.get(e);if(a)return a.name;if(j.test(e))return`${s.named("type_",e.split("_")[0],"")} …${e.slice(-6)}`;let i=U.test(e)?new Date(e):B.test(e)?new Date(`${e}T12:00`):null;if(!i||Number.isNaN(i.getTime()))return e;let n=i.toLocaleDateString(s.locale,{weekday:"short",day:"numeric",month:"long",year:"numeric"});return B.test(e)?n:`${n}, ${s.time(i)}`})(e,s,a):Array.isArray(e)?e.length?t`<ul>
${e.map(e=>t`<li>${H(e,s,a)}</li>`)}
</ul>`:t`<em>${a.say("nothing")}</em>`:K(e,s,a)}var Y=e`.prose{overflow-wrap:anywhere;line-height:1.55}.prose>:first-child{margin-block-start:0}.prose>:last-child{margin-block-end:0}.prose p,.prose ul,.prose ol,.prose pre,.prose blockquote,.prose .table{margin-block:var(--aisha-2)}.prose ul,.prose ol{padding-inline-start:22px}.prose li{margin-block:2px}.prose li::marker{color:var(--aisha-muted)}.prose h3,.prose h4,.prose h5{margin-block:var(--aisha-3) var(--aisha-1);font-size:var(--aisha-text-m);line-height:1.35}.prose a{color:var(--aisha-accent);text-underline-offset:2px}.prose .link-host{color:var(--aisha-muted);font-size:var(--aisha-text-xs)}.prose code{font-family:var(--aisha-mono);font-size:.9em;background:var(--aisha-sunken);padding:1px 4px;border-radius:4px}.prose pre{overflow-x:auto;padding:var(--aisha-3);background:var(--aisha-sunken);border-radius:var(--aisha-radius-s)}.prose pre code{padding:0;background:none}.prose blockquote{margin-inline:0;padding-inline-start:var(--aisha-3);border-inline-start:3px solid var(--aisha-line-strong);color:var(--aisha-muted)}.prose hr{border:0;border-block-start:1px solid var(--aisha-line)}.prose .table{overflow-x:auto;border:1px solid var(--aisha-line);border-radius:var(--aisha-radius-s)}.prose table{border-collapse:collapse;min-inline-size:100%;font-size:var(--aisha-text-s)}.prose th,.prose td{padding:6px 10px;text-align:start;vertical-align:top;white-space:nowrap}.prose [align=right]{text-align:end;font-variant-numeric:tabular-nums}.prose th{background:var(--aisha-raised);font-weight:600}.prose tr+tr td,.prose tbody tr:first-child td{border-block-start:1px solid var(--aisha-line)}`,W={approved:"confirm_approved",rejected:"confirm_rejected",settled:"confirm_settled",expired:"confirm_expired"},F=class extends a{constructor(){super(...arguments),this.names=new Map,this.busy=!1,this.left=0}connectedCallback(){super.connectedCallback(),this.timer=setInterval(()=>this.tick(),1e3)}disconnectedCallback(){super.disconnectedCallback(),clearInterval(this.timer)}willUpdate(e){e.has("message")&&this.tick()}firstUpdated(){let{question:e,alternatives:t}=this.message.confirmation,s=this.message.plan||t;this.question?.replaceChildren(w(s?e.replace(/^\d+\. .*$\n?/gm,""):e))}render(){let{words:e,message:a}=this,i=a.confirmation,n="select"===i.confirmationType,o=n?"confirm_choose":i.isDestructive?"confirm_title_danger":"confirm_title";return t`<div
role="group"
class="card ${i.isDestructive&&!a.decision?"danger":""}"
aria-labelledby="title"
>
<h3 id="title">${c("alert",16)} ${e.say(o)}</h3>
<div class="body">
<div class="prose" dir="auto"></div>
${a.plan?this.plan(a.plan):n?s:this.exact()}
${a.decision?this.outcome(a.decision):n?this.choices():this.yesNo()}
</div>
</div>`}plan(e){return e.length?t`<aisha-plan .steps=${e} .words=${this.words}></aisha-plan>`:s}exact(){let{words:e,names:s}=this,a=this.message.confirmation;return t`<div class="exact">
<p id="exact">${e.say("confirm_details")}</p>
<div class="scroll" tabindex="0" role="group" aria-labelledby="exact">
${K(a.arguments,s,e)}
</div>
</div>`}yesNo(){let{words:e,message:s,actions:a}=this,{isDestructive:i,tool:n}=s.confirmation,o=/^delete_/.test(n)?"confirm_yes_delete":/^send_/.test(n)?"confirm_yes_send":"confirm_yes";return t`<div class="buttons">
<button
class="button ${i?"danger":"primary"}"
?disabled=${this.busy}
@click=${()=>a.decide(s.key,"approve")}
>
${e.say(o)}
</button>
<button class="button" ?disabled=${this.busy} @click=${()=>a.decide(s.key,"reject")}>
${e.say("confirm_no")}
</button>
</div>
${this.time()}`}choices(){let{words:e,message:s,actions:a}=this,i=s.confirmation.alternatives??[];return t`<div class="buttons choices">
${i.map(({label:e,value:i})=>t`<button
class="button choice"
dir="auto"
?disabled=${this.busy}
@click=${()=>a.decide(s.key,"approve",i)}
>
${e}
</button>`)}
<button class="button" ?disabled=${this.busy} @click=${()=>a.decide(s.key,"reject")}>
${e.say("confirm_none")}
</button>
</div>
${this.time()}`}time(){let e=`${Math.floor(this.left/60)}:${String(this.left%60).padStart(2,"0")}`;return t`<p class="time ${this.left<60?"hurry":""}">
${c("clock",14)} <span dir="auto">${this.words.say("confirm_time",{time:e})}</span>
</p>`}outcome(e){let{words:a,message:i,actions:n}=this;return t`<p class="outcome">
${a.say(W[e])}
${"expired"===e?t`<button class="button" ?disabled=${this.busy} @click=${()=>n.askAgain(i.key)}>
${c("retry",15)} ${a.say("confirm_again")}
</button>`:s}
</p>`}tick(){let{confirmation:e,decision:t,key:s}=this.message;!e||t||(this.left=Math.max(0,Math.ceil((Date.parse(e.expiresAt)-Date.now())/1e3)),0===this.left&&queueMicrotask(()=>this.actions.expire(s)))}};F.styles=[m,Y,e`:host{display:block}.card{margin-block:var(--aisha-2);border:1px solid var(--aisha-line-strong);border-radius:var(--aisha-radius);background:var(--aisha-raised);overflow:hidden}.card.danger{border-color:var(--aisha-danger)}h3{display:flex;align-items:center;gap:var(--aisha-2);margin:0;padding:var(--aisha-2) var(--aisha-3);font-size:var(--aisha-text-s);font-weight:600;color:var(--aisha-accent);background:var(--aisha-accent-soft)}.danger h3{color:var(--aisha-danger);background:var(--aisha-danger-soft)}.body{padding:var(--aisha-3)}.exact{margin:var(--aisha-3) 0 0;padding:var(--aisha-2) var(--aisha-3);background:var(--aisha-bg);border-radius:var(--aisha-radius-s);font-size:var(--aisha-text-s)}.exact>p{margin:0 0 var(--aisha-1);font-size:var(--aisha-text-xs);font-weight:600;color:var(--aisha-muted)}.scroll{max-block-size:260px;overflow:auto}dl{margin:0}dl>div{display:grid;grid-template-columns:minmax(72px,30%) 1fr;gap:var(--aisha-2);padding-block:2px}dt{color:var(--aisha-muted);overflow-wrap:anywhere}dd{margin:0;min-inline-size:0;overflow-wrap:anywhere;white-space:pre-wrap}dd ul{margin:0;padding-inline-start:var(--aisha-4);white-space:normal}.none{margin:0}.buttons{display:flex;flex-wrap:wrap;gap:var(--aisha-2);margin-block-start:var(--aisha-3)}.buttons.choices{flex-direction:column}.choice{justify-content:flex-start;text-align:start;font-weight:400;overflow-wrap:anywhere}.time{display:flex;align-items:center;gap:6px;margin-block:var(--aisha-2) 0;font-size:var(--aisha-text-xs);color:var(--aisha-muted);font-variant-numeric:tabular-nums}.time.hurry{color:var(--aisha-warn)}.outcome{display:flex;align-items:center;flex-wrap:wrap;gap:var(--aisha-2);margin-block:var(--aisha-3) 0;font-size:var(--aisha-text-s);color:var(--aisha-muted)}`],k([i({attribute:!1})],F.prototype,"message",2),k([i({attribute:!1})],F.prototype,"names",2),k([i({attribute:!1})],F.prototype,"words",2),k([i({attribute:!1})],F.prototype,"actions",2),k([i({type:Boolean})],F.prototype,"busy",2),k([n()],F.prototype,"left",2),k([o(".prose")],F.prototype,"question",2),F=k([d("aisha-confirmation")],F);var G=["why_wrong","why_misread","why_incomplete","why_slow","why_other"],Z=class extends a{constructor(){super(...arguments),this.isAsking=!1}render(){let{feedback:e}=this.message;return t`${this.thumb("up","good_answer","up")} ${this.thumb("down","bad_answer","thumbDown")}
${this.isAsking&&"down"===e?t`<div class="why" role="group" aria-label=${this.words.say("why_bad")}>
<span>${this.words.say("why_bad")}</span>
${G.map(e=>t`<button class="button" @click=${()=>this.rate("down",e)}>
${this.words.say(e)}
</button>`)}
</div>`:s}`}thumb(e,s,a){let i=this.words.say(s);return t`<button
class="icon-button small"
aria-label=${i}
title=${i}
aria-pressed=${this.message.feedback===e}
@click=${()=>this.rate(e)}
>
${c(a,15)}
</button>`}rate(e,t){this.isAsking="down"===e&&!t,this.actions.rate(this.message.key,e,t?.replace("why_","")),this.isAsking||this.actions.announce(this.words.say("thanks"))}};Z.styles=[m,e`:host{display:contents}.why{order:9;inline-size:100%;display:flex;flex-wrap:wrap;align-items:center;gap:var(--aisha-2);padding:var(--aisha-2) 6px;border:0;margin:0;font-size:var(--aisha-text-s)}.why .button{min-block-size:28px;padding:2px 10px;font-weight:400;border-radius:14px}`],k([i({attribute:!1})],Z.prototype,"message",2),k([i({attribute:!1})],Z.prototype,"words",2),k([i({attribute:!1})],Z.prototype,"actions",2),k([n()],Z.prototype,"isAsking",2),Z=k([d("aisha-feedback")],Z);var V=["search","get","list","create","update","delete"];function J(e,t){let s=t.named("does_",e,"");if(s)return s;let[a,...i]=e.split("_"),n=V.find(e=>e===a);if(!n||!i.length)return I(e);let o=i.join("_");return t.say(`tool_${n}`,{what:t.named("types_",o,t.named("type_",o,I(o).toLowerCase()))})}var X=class extends a{constructor(){super(...arguments),this.steps=[],this.names=new Map}render(){if(!this.steps.length)return s;let e=this.steps.reduce((e,t)=>e+(t.durationMs??0),0);return t`<details>
<summary>
<span dir="auto"
>${this.words.count("steps",this.steps.length)}${e?t` · ${this.words.seconds(e)}`:s}</span
>
<span class="chevron">${c("chevron",14)}</span>
</summary>
<ol>
${this.steps.map(e=>this.step(e))}
</ol>
</details>`}step(e){let a=/^\d+$/.test(e.outcome)?this.words.count("found",Number(e.outcome)):e.outcome;return t`<li>
<details>
<summary>
<span class="state ${e.state}">${this.mark(e.state)}</span>
<span dir="auto">${J(e.tool,this.words)}${a?t` · ${a}`:s}</span>
<span class="time" dir="auto"
>${null===e.durationMs?s:this.words.seconds(e.durationMs)}</span
>
</summary>
${K(e.arguments,this.names,this.words)}
</details>
</li>`}mark(e){let s=t`<span class="hidden-text">${this.words.say(`step_${e}`)}</span>`;return"running"===e?t`<span class="spinner"></span>${s}`:t`${c("done"===e?"check":"failed"===e?"close":"clock",14)}${s}`}};X.styles=[m,e`:host{display:block;font-size:var(--aisha-text-s);color:var(--aisha-muted)}summary{display:inline-flex;align-items:center;gap:var(--aisha-1);min-block-size:24px;cursor:pointer;list-style:none;border-radius:var(--aisha-radius-s)}summary::-webkit-details-marker{display:none}summary:hover{color:var(--aisha-ink)}summary>.chevron svg{display:block;transition:transform var(--aisha-speed)}details[open]>summary>.chevron svg{transform:rotate(180deg)}ol{list-style:none;margin:var(--aisha-1) 0 var(--aisha-2);padding:0 0 0 var(--aisha-3);padding-inline:var(--aisha-3) 0;border-inline-start:2px solid var(--aisha-line)}li>details>summary{display:flex}.time{margin-inline-start:auto;font-variant-numeric:tabular-nums;font-size:var(--aisha-text-xs)}.state{display:inline-grid;place-items:center;inline-size:18px;flex:none}.done{color:var(--aisha-good)}.failed{color:var(--aisha-danger)}.waiting{color:var(--aisha-warn)}.spinner{inline-size:12px;block-size:12px;border:2px solid var(--aisha-line-strong);border-block-start-color:var(--aisha-accent);border-radius:50%;animation:turn .9s linear infinite}@keyframes turn{to{transform:rotate(1turn)}}.arguments,.none{margin:0 0 var(--aisha-2) 22px;margin-inline:22px 0;font-size:var(--aisha-text-xs);overflow-wrap:anywhere}.arguments>div{display:flex;gap:var(--aisha-2)}dt:after{content:":"}dd{margin:0;color:var(--aisha-ink);min-inline-size:0}dd ul{margin:0;padding-inline-start:var(--aisha-4)}dd .arguments{margin:0}`],k([i({attribute:!1})],X.prototype,"steps",2),k([i({attribute:!1})],X.prototype,"names",2),k([i({attribute:!1})],X.prototype,"words",2),X=k([d("aisha-steps")],X);var Q=class extends a{constructor(){super(...arguments),this.records=[],this.name="",this.last=!1,this.busy=!1,this.speaking=!1,this.isCopied=!1,this.shown=""}render(){let{message:e}=this;return"system"===e.role?this.note():"user"===e.role?t`<div class="user">
<span class="hidden-text">${this.words.say("you_said")}: </span
><span class="said" dir="auto">${e.text}</span>
</div>`:t`<article aria-label=${this.words.say("assistant_said",{name:this.name})}>
<aisha-steps .steps=${e.steps} .names=${this.names} .words=${this.words}></aisha-steps>
<div class="prose" dir="auto" ?hidden=${!e.text||null!==e.confirmation}></div>
${this.status()} ${this.marks()} ${this.question()} ${"streaming"===e.state?s:this.findings()}
</article>`}updated(e){let{text:t,state:s}=this.message,a=`${"streaming"===s}${t}`;e.has("message")&&this.prose&&a!==this.shown&&(this.prose.replaceChildren(w(t,"streaming"===s)),this.shown=a)}get names(){return((...e)=>new Map(e.flat().map(e=>[e.id,e])))(this.records,this.message.sources,this.message.entities)}note(){let{error:e,changes:a}=this.message,i=a.map(e=>e.name).join(", ");return t`${i?t`<p class="system">${c("undo",14)} ${this.words.say("undone_names",{names:i})}</p>`:s}
${e?t`<aisha-notice .words=${this.words} .text=${b(e,this.words)}></aisha-notice>`:s}`}status(){let{message:e,words:a}=this;if("streaming"!==e.state)return s;let i=e.steps.findLast(e=>"running"===e.state);if(e.text&&!i)return s;let n=i?`${J(i.tool,a)}…`:a.say("thinking");return t`<div class="status">
<span class="dots" aria-hidden="true"><i></i><i></i><i></i></span>${n}
</div>`}marks(){let{message:e,words:a}=this;return"stopped"===e.state?t`<p class="mark">${c("stop",14)} ${a.say("stopped")}</p>`:"unfinished"===e.state?t`<p class="mark">${c("alert",14)} ${a.say("unfinished")}</p>`:e.needs&&"done"===e.state?t`<p class="mark">
${c("alert",14)} ${a.say("needs_data",{names:(i=e.needs,Object.values(i).flatMap(e=>Array.isArray(e)?e.map(e=>"string"==typeof e?e:String(e?.id??"")):e&&"object"==typeof e?Object.keys(e):[]).filter(Boolean).map(I).join(", ").toLowerCase())})}
</p>`:e.error?t`<aisha-notice
.words=${a}
.text=${b(e.error,a)}
.retryAfter=${e.error.retryAfter}
.reference=${e.error.requestId??""}
?retryable=${(e=>![402,403,404,410,413,422].includes(e))(e.error.status)&&!e.decision}
?disabled=${this.busy}
@retry=${()=>this.actions.retry(e.key)}
></aisha-notice>`:s;var i}question(){let{message:e}=this;return e.confirmation&&"streaming"!==e.state?t`<aisha-confirmation
.message=${e}
.names=${this.names}
.words=${this.words}
.actions=${this.actions}
?busy=${this.busy}
></aisha-confirmation>`:s}findings(){let{message:e,words:a}=this;return"failed"===e.state?s:t`
${e.warnings.map(e=>t`<p class="mark">${c("alert",14)} ${e}</p>`)}
${e.usage?.degraded?t`<p class="mark">${c("alert",14)} ${a.say("degraded")}</p>`:s}
${e.insights.length?t`<div class="section">
<ul class="insights" aria-label=${a.say("insights")}>
${e.insights.map(e=>t`<li dir="auto">${c("bulb",16)}<span>${e}</span></li>`)}
</ul>
</div>`:s}
${this.sources()} ${this.footer()} ${this.last?t`${this.scans()}${this.followUps()}`:s}
`}sources(){let{sources:e}=this.message;return e.length?t`<div class="section">
<p class="label">${this.words.say("sources")}</p>
<ul class="chips">
${e.map(e=>t`<li>
<button
class="chip"
title=${e.description}
aria-label=${this.words.say("open_record",{type:this.words.named("type_",e.type,e.type),name:e.name})}
@click=${()=>this.actions.openRecord(e)}
>
${p(e.type)}<span dir="auto">${e.name}</span>
</button>
</li>`)}
</ul>
</div>`:s}scans(){let{recommendedScans:e,steps:a}=this.message,i=new Set(a.map(e=>e.arguments.scan_type)),n=e.filter(e=>!i.has(e));return n.length?t`<div class="section">
<p class="label">${this.words.say("scans")}</p>
<ul class="chips">
${n.map(e=>{let t=this.words.named("scan_",e,e.replaceAll("_"," ")),s=this.words.say("run_scan_text",{name:t});return this.chip(s,c("search",14))})}
</ul>
</div>`:s}followUps(){let{followUps:e,confirmation:a,decision:i}=this.message;return!e.length||a&&!i?s:t`<div class="section">
<p class="label">${this.words.say("follow_ups")}</p>
<ul class="chips">
${e.map(e=>this.chip(e.text,t`<span class="emoji" aria-hidden="true">${e.icon}</span>`))}
</ul>
</div>`}chip(e,s){return t`<li>
<button class="chip follow-up" ?disabled=${this.busy} @click=${()=>this.actions.send(e)}>
${s}<span dir="auto">${e}</span>
</button>
</li>`}footer(){let{message:e,words:a}=this;return e.text?t`<div class="footer" role="group" aria-label=${a.say("answer_actions")}>
${e.changes.length?t`<button
class="button undo"
?disabled=${this.busy||null!==e.undo}
@click=${()=>this.actions.undo(e.key)}
>
${c("undo",14)}
${"done"===e.undo?a.say("undone"):a.count("undo",e.changes.length)}
</button>`:s}
${this.tool(this.isCopied?"copied":"copy",this.isCopied?"check":"copy",()=>this.copy())}
${this.tool(this.speaking?"stop_reading":"read_aloud",this.speaking?"mute":"speak",()=>this.actions.speak(e.key))}
<aisha-feedback .message=${e} .words=${a} .actions=${this.actions}></aisha-feedback>
<span class="when" title=${this.timing()}>${a.moment(e.at)}</span>
</div>`:s}tool(e,s,a){let i=this.words.say(e);return t`<button class="icon-button small" aria-label=${i} title=${i} @click=${a}>
${c(s,15)}
</button>`}timing(){let{usage:e}=this.message;return e?`${this.words.say("timing",{total:this.words.seconds(e.timing.totalMs)})}, ${this.words.say("timing_model",{llm:this.words.seconds(e.timing.llmMs)})} · ${e.model}`:""}async copy(){try{await navigator.clipboard.writeText(this.message.text),this.isCopied=!0,this.actions.announce(this.words.say("copied")),setTimeout(()=>this.isCopied=!1,2e3)}catch{}}};Q.styles=[m,Y,e`:host{display:block;padding-block:var(--aisha-2)}.user{inline-size:fit-content;max-inline-size:85%;margin-inline-start:auto;padding:var(--aisha-2) var(--aisha-3);background:var(--aisha-accent-soft);border-radius:var(--aisha-radius-l) var(--aisha-radius-l) var(--aisha-1) var(--aisha-radius-l);overflow-wrap:anywhere}.said{display:block;white-space:pre-wrap}:host([dir="rtl"]) .user{border-radius:var(--aisha-radius-l) var(--aisha-radius-l) var(--aisha-radius-l) var(--aisha-1)}.system{display:flex;align-items:center;justify-content:center;gap:var(--aisha-2);overflow-wrap:anywhere;font-size:var(--aisha-text-s);color:var(--aisha-muted)}.status{display:flex;align-items:center;gap:var(--aisha-2);min-block-size:24px;color:var(--aisha-muted);font-size:var(--aisha-text-s)}.dots{display:inline-flex;gap:4px}.dots i{inline-size:6px;block-size:6px;border-radius:50%;background:var(--aisha-accent);animation:breathe 1.2s ease-in-out infinite}.dots i:nth-child(2){animation-delay:.15s}.dots i:nth-child(3){animation-delay:.3s}@keyframes breathe{50%{opacity:.25}}.mark{display:flex;align-items:center;gap:var(--aisha-2);margin-block-start:var(--aisha-2);font-size:var(--aisha-text-s);color:var(--aisha-warn)}.section{margin-block-start:var(--aisha-3)}.label{margin:0 0 var(--aisha-1);font-size:var(--aisha-text-xs);font-weight:600;color:var(--aisha-muted)}.insights{margin:0;padding:var(--aisha-2) var(--aisha-3);list-style:none;background:var(--aisha-raised);border-radius:var(--aisha-radius);font-size:var(--aisha-text-s)}.insights li{display:flex;gap:var(--aisha-2)}.insights span{min-inline-size:0;overflow-wrap:anywhere}.insights svg{flex:none;margin-block-start:1px;color:var(--aisha-warn)}.chips{display:flex;flex-wrap:wrap;gap:var(--aisha-2);margin:0;padding:0;list-style:none}.chips li{max-inline-size:100%}.chip{display:inline-flex;align-items:center;gap:6px;max-inline-size:100%;min-block-size:28px;padding:3px 10px;font-size:var(--aisha-text-s);line-height:1.35;text-align:start;border:1px solid var(--aisha-line);border-radius:14px;background:var(--aisha-bg);transition:background var(--aisha-speed)}.chip:hover:not(:disabled){background:var(--aisha-hover)}.chip span{overflow:hidden;text-overflow:ellipsis;display:-webkit-box;-webkit-line-clamp:2;-webkit-box-orient:vertical;overflow-wrap:anywhere}.chip svg{flex:none;color:var(--aisha-accent)}.follow-up{border-color:var(--aisha-line-strong)}.emoji{font-size:14px}.footer{display:flex;align-items:center;flex-wrap:wrap;gap:var(--aisha-1);margin-block-start:var(--aisha-2);color:var(--aisha-muted);font-size:var(--aisha-text-xs)}.footer>.icon-button:first-child{margin-inline-start:-6px}.footer .when{margin-inline-start:auto;font-variant-numeric:tabular-nums}.footer .undo{min-block-size:28px;padding:2px 10px}`],k([i({attribute:!1})],Q.prototype,"message",2),k([i({attribute:!1})],Q.prototype,"words",2),k([i({attribute:!1})],Q.prototype,"actions",2),k([i({attribute:!1})],Q.prototype,"records",2),k([i()],Q.prototype,"name",2),k([i({type:Boolean})],Q.prototype,"last",2),k([i({type:Boolean})],Q.prototype,"busy",2),k([i({type:Boolean})],Q.prototype,"speaking",2),k([n()],Q.prototype,"isCopied",2),k([o(".prose")],Q.prototype,"prose",2),Q=k([d("aisha-message")],Q);var ee=class extends a{constructor(){super(...arguments),this.messages=[],this.records=[],this.name="",this.speaking=null,this.busy=!1,this.isAway=!1}firstUpdated(){this.sizes=new ResizeObserver(()=>!this.isAway&&this.toNewest()),this.sizes.observe(this.content),this.sizes.observe(this.frame)}disconnectedCallback(){super.disconnectedCallback(),this.sizes?.disconnect()}connectedCallback(){super.connectedCallback(),this.hasUpdated&&this.firstUpdated()}updated(e){let t=e.get("messages");t&&this.messages.length>t.length&&"user"===this.messages.at(-2)?.role&&(this.isAway=!1),this.isAway||this.toNewest()}render(){let e=this.messages.at(-1)?.key;return t`<div
class="scroll"
tabindex="0"
role="log"
aria-live="off"
aria-label=${this.words.say("transcript")}
@scroll=${this.scrolled}
>
<div class="messages">
${this.messages.map(s=>t`<aisha-message
.message=${s}
.words=${this.words}
.actions=${this.actions}
.records=${this.records}
.name=${this.name}
dir=${this.words.direction}
?last=${s.key===e}
?busy=${this.busy}
?speaking=${s.key===this.speaking}
></aisha-message>`)}
</div>
</div>
${this.isAway?t`<button
class="icon-button newest"
aria-label=${this.words.say("to_newest")}
title=${this.words.say("to_newest")}
@click=${this.backToNewest}
>
${c("down")}
</button>`:s}`}scrolled(){let{scrollHeight:e,scrollTop:t,clientHeight:s}=this.frame;this.isAway=e-t-s>80}backToNewest(){this.isAway=!1,this.toNewest()}toNewest(){this.frame&&(this.frame.scrollTop=this.frame.scrollHeight)}};ee.styles=[m,e`:host{position:relative;display:block;min-block-size:0}.scroll{block-size:100%;overflow-y:auto;overscroll-behavior:contain;scrollbar-width:thin;scrollbar-color:var(--aisha-line-strong) transparent;padding:var(--aisha-3) var(--aisha-4);outline-offset:-2px}.messages{max-inline-size:760px;margin-inline:auto}aisha-message:not([last]){content-visibility:auto;contain-intrinsic-size:auto 120px}.newest{position:absolute;inset-block-end:var(--aisha-3);inset-inline:0;margin-inline:auto;background:var(--aisha-raised);border:1px solid var(--aisha-line-strong);border-radius:50%;color:var(--aisha-ink);box-shadow:var(--aisha-shadow)}`],k([i({attribute:!1})],ee.prototype,"messages",2),k([i({attribute:!1})],ee.prototype,"records",2),k([i({attribute:!1})],ee.prototype,"words",2),k([i({attribute:!1})],ee.prototype,"actions",2),k([i()],ee.prototype,"name",2),k([i()],ee.prototype,"speaking",2),k([i({type:Boolean})],ee.prototype,"busy",2),k([n()],ee.prototype,"isAway",2),k([o(".scroll")],ee.prototype,"frame",2),k([o(".messages")],ee.prototype,"content",2),ee=k([d("aisha-transcript")],ee);var te=[{label:"quick_status",icon:"activity"},{label:"quick_next",icon:"bulb"},{label:"quick_analyze",icon:"opportunity"}];function se(e,t,s){let a=`${e.label}_text`;return s?t.english(a):t.say(a)}var ae=class extends a{constructor(){super(...arguments),this.onRecord=!1,this.english=!1,this.busy=!1}render(){let{words:e}=this;return t`<h3>${e.say("welcome_title")}</h3>
<p>${e.say("welcome_text")}</p>
<ul aria-label=${e.say("quick")}>
${this.onRecord?this.item({label:"quick_record",icon:"source"},null):s}
${te.map((e,t)=>this.item(e,t+1))}
</ul>`}item(e,a){let i=se(e,this.words,this.english);return t`<li>
<button ?disabled=${this.busy} @click=${()=>this.actions.send(i)} aria-keyshortcuts=${a??s}>
${c(e.icon,20)}
<span class="text"><strong>${this.words.say(e.label)}</strong><span>${i}</span></span>
${a?t`<kbd aria-hidden="true">${a}</kbd>`:s}
</button>
</li>`}};ae.styles=[m,e`:host{display:block}h3{margin:var(--aisha-3) 0 var(--aisha-1);font-size:var(--aisha-text-l);line-height:1.3}p{margin:0 0 var(--aisha-4);color:var(--aisha-muted);font-size:var(--aisha-text-s);line-height:1.5}ul{display:grid;gap:var(--aisha-2);margin:0;padding:0;list-style:none}li button{display:flex;align-items:center;gap:var(--aisha-3);inline-size:100%;padding:10px var(--aisha-3);text-align:start;border:1px solid var(--aisha-line);border-radius:var(--aisha-radius);background:var(--aisha-raised);transition:background var(--aisha-speed)}li button:hover:not(:disabled){background:var(--aisha-hover)}svg{flex:none;color:var(--aisha-accent)}.text{flex:1;min-inline-size:0;line-height:1.35}strong{display:block;font-size:var(--aisha-text-s);font-weight:600}.text span{font-size:var(--aisha-text-s);color:var(--aisha-muted)}kbd{min-inline-size:20px;padding:1px 5px;text-align:center;font:inherit;font-size:var(--aisha-text-xs);color:var(--aisha-muted);border:1px solid var(--aisha-line);border-radius:5px}@media(hover:none){kbd{display:none}}`],k([i({attribute:!1})],ae.prototype,"words",2),k([i({attribute:!1})],ae.prototype,"actions",2),k([i({type:Boolean,attribute:"on-record"})],ae.prototype,"onRecord",2),k([i({type:Boolean})],ae.prototype,"english",2),k([i({type:Boolean})],ae.prototype,"busy",2),ae=k([d("aisha-welcome")],ae);var ie=class extends a{constructor(){super(...arguments),this.api="",this.theme="midnight",this.layout="sidebar",this.locale="",this.name="",this.recordType="",this.recordId="",this.page="",this.minimised=!1,this.token=null,this.provideData=null,this.view="chat",this.isOnline=navigator.onLine,this.isUnread=!1,this.announced="",this.heard="",this.viewsError=null,this.listening=null,this.speakingKey=null,this.voiceProblem="",this.tenantName="AiSHA",this.isEnglishOnly=!1,this.preferences={theme:"midnight",model:"",isReadAloud:!1,voice:"",isPlanning:!1},this.words=new P("en"),this.wordsOf="",this.isDark=matchMedia("(prefers-color-scheme: dark)"),this.isRedrawn=!1,this.tokenGiven=new Promise(e=>this.giveToken=e),this.actions={send:e=>{this.say(e)},stop:()=>this.conversation.stop(),retry:e=>{this.conversation.retry(e)},decide:(e,t,s)=>{this.conversation.decide(e,t,s),this.composer?.focus()},undo:e=>{this.conversation.undo(e)},expire:e=>this.conversation.expire(e),askAgain:e=>this.askAgain(e),openRecord:e=>this.navigate({page:null,record:e}),speak:e=>{this.readAloud(e)},rate:(e,t,s)=>this.rate(e,t,s),announce:e=>this.announce(e)},this.talk=async()=>{if(this.listening)return;this.speech.stop(),this.voiceProblem=this.heard="";try{this.listening=new T(this.words.locale,e=>this.heard=e)}catch{return void(this.voiceProblem=this.words.say("error_microphone"))}let e=await this.listening.heard;this.listening=null,this.heard="",this.composer?.fill(""),"text"in e?await this.say(e.text):this.voiceProblem=this.words.say(`error_${e.problem}`)},this.sound=()=>{let e=!this.preferences.isReadAloud;this.prefer({...this.preferences,isReadAloud:e}),!e&&(this.speech.stop(),this.speakingKey=null)},this.begin=async()=>{this.conversation.clear(),await this.show("chat")},this.minimise=async()=>{this.minimised=!0,q("minimised","yes"),await this.updateComplete,this.renderRoot.querySelector(".launcher")?.focus()},this.restore=async()=>{this.minimised=!1,q("minimised",null),await this.updateComplete,this.composer?.focus()},this.pressed=e=>{let[t]=e.composedPath(),s=t?.matches("input, textarea, select, [contenteditable]");if("Escape"===e.key&&"chat"!==this.view&&this.show("chat"),s||e.ctrlKey||e.metaKey||e.altKey||"chat"!==this.view)return;let a=((e,t,s)=>{let a=/^[1-3]$/.test(e)?te[Number(e)-1]:void 0;return a?se(a,t,s):null})(e.key,this.words,this.isEnglishOnly);a&&this.say(a)},this.connectionChanged=()=>{if(this.isOnline=navigator.onLine,!this.isOnline)return;this.announce(this.words.say("back_online"));let e=this.conversation.messages.findLast(e=>"offline"===e.error?.code);e&&this.conversation.retry(e.key)},this.redraw=()=>{this.isRedrawn=!0,this.requestUpdate()}}ask(e){this.minimised=!1,this.say(e)}async draft(e){this.minimised=!1,this.view="chat",await this.updateComplete,this.composer?.fill(e),this.composer?.focus()}async openConversation(e){this.view="chat",await this.conversation.open(e)}connectedCallback(){super.connectedCallback(),addEventListener("online",this.connectionChanged),addEventListener("offline",this.connectionChanged),this.isDark.addEventListener("change",this.redraw),this.addEventListener("keydown",this.pressed)}disconnectedCallback(){super.disconnectedCallback(),removeEventListener("online",this.connectionChanged),removeEventListener("offline",this.connectionChanged),this.isDark.removeEventListener("change",this.redraw),this.removeEventListener("keydown",this.pressed),this.speech?.stop(),this.conversation?.stop()}willUpdate(e){if(!this.hasUpdated){let e=E("theme");this.preferences={theme:this.hasAttribute("theme")?this.theme:e??"midnight",model:E("model")??"",isReadAloud:"yes"===E("aloud"),voice:E("voice")??"",isPlanning:"yes"===E("plan")},this.theme=this.preferences.theme,"sidebar"===this.layout&&"yes"===E("minimised")&&(this.minimised=!0)}(e.has("api")||!this.client)&&this.connect(),this.token&&this.giveToken(),e.has("theme")&&(this.preferences={...this.preferences,theme:this.theme}),e.has("minimised")&&(this.isUnread&&=this.minimised);let t="light"===this.theme||"system"===this.theme&&!this.isDark.matches;this.dataset.theme=t?"light":"midnight"}async scheduleUpdate(){this.isRedrawn&&!document.hidden&&await new Promise(requestAnimationFrame),this.isRedrawn=!1;let e=this.locale||document.documentElement.lang||navigator.language,t=e!==this.wordsOf;t&&(this.wordsOf=e,this.words=await(async e=>{let t="en";try{t=Intl.getCanonicalLocales(e)[0]??"en"}catch{}let s=t.slice(0,2);try{let e=await(N[s]?.());if(e)return new P(t,s,e.default)}catch{}return new P(t)})(e)),super.scheduleUpdate(),t&&"en"!==this.words.language&&this.loadLanguage(this.client)}render(){let{words:e}=this;if(this.minimised&&"fill"!==this.layout){let a=e.say(this.isUnread?"open_unread":"open");return t`<button
class="launcher"
dir=${e.direction}
lang=${e.language}
aria-label=${a}
title=${a}
@click=${this.restore}
>
<span aria-hidden="true">${this.calledName.slice(0,1)}</span>
${this.isUnread?t`<span class="unread"></span>`:s}
</button>
${this.announcer()}`}let{conversation:a}=this;return t`<section
class="panel"
part="panel"
lang=${e.language}
dir=${e.direction}
aria-label="${this.calledName}: ${e.say("assistant")}"
>
<aisha-header
.words=${e}
.mood=${a.mood}
.name=${this.calledName}
.state=${this.panelState}
.view=${this.view}
?fresh=${0===a.messages.length}
?minimisable=${"fill"!==this.layout}
@view=${e=>this.show(e.detail)}
?aloud=${this.preferences.isReadAloud}
@sound=${this.sound}
@clear=${this.begin}
@minimise=${this.minimise}
></aisha-header>
<div>
${this.isOnline?s:t`<p class="banner" role="status">${c("offline",16)} ${e.say("offline")}</p>`}
${this.voiceProblem?t`<p class="banner" role="status">${c("mic",16)} ${this.voiceProblem}</p>`:s}
</div>
<div class="body">${this.body()}</div>
<div>
${"chat"===this.view?t`<aisha-composer
.words=${e}
.earlier=${a.spoken}
.heard=${this.heard}
placeholder=${e.say(a.pending?"placeholder_pending":"placeholder")}
?busy=${"idle"!==a.phase}
?planning=${this.preferences.isPlanning}
@plan=${()=>this.prefer({...this.preferences,isPlanning:!this.preferences.isPlanning})}
?listening=${null!==this.listening}
?voice=${void 0!==C()}
@send=${e=>this.say(e.detail)}
@stop=${()=>a.stop()}
@talk=${this.talk}
@release=${()=>this.listening?.finish()}
></aisha-composer>`:s}
</div>
${this.announcer()}
</section>`}announcer(){return t`<div class="hidden-text" role="status" aria-live="polite">${this.announced}</div>`}body(){let{words:e,conversation:s,client:a,viewsError:i}=this;return"chat"!==this.view&&i?t`<div class="empty">
<aisha-notice
.words=${e}
.text=${b(i,e)}
retryable
@retry=${()=>this.show(this.view)}
></aisha-notice>
</div>`:"history"===this.view?t`<aisha-history
.api=${a}
.words=${e}
.current=${s.id}
@open=${e=>this.openConversation(e.detail)}
@removed=${e=>e.detail===s.id&&s.clear()}
></aisha-history>`:"settings"===this.view?t`<aisha-settings
.api=${a}
.words=${e}
.preferences=${this.preferences}
@change=${e=>this.prefer(e.detail)}
></aisha-settings>`:s.isLoading?t`<p class="loading" role="status">${e.say("loading")}</p>`:s.loadError?t`<div class="empty">
<aisha-notice
.words=${e}
.text=${b(s.loadError,e)}
.retryAfter=${s.loadError.retryAfter}
.reference=${s.loadError.requestId??""}
retryable
@retry=${()=>s.open(s.id)}
></aisha-notice>
</div>`:s.messages.length?t`<aisha-transcript
.messages=${s.messages}
.records=${s.entities}
.words=${e}
.actions=${this.actions}
.name=${this.calledName}
.speaking=${this.speakingKey}
?busy=${"idle"!==s.phase}
></aisha-transcript>`:t`<div class="empty">
<aisha-welcome
.words=${e}
.actions=${this.actions}
?english=${this.isEnglishOnly}
?on-record=${!!this.recordId}
?busy=${"idle"!==s.phase}
></aisha-welcome>
<aisha-suggestions
.api=${a}
.words=${e}
.actions=${this.actions}
@changes=${e=>this.tellChanges(e.detail)}
></aisha-suggestions>
</div>`}get calledName(){return this.name||this.tenantName}get panelState(){return this.isOnline?this.listening?"listening":"idle"!==this.conversation.phase?"processing":this.speakingKey?"speaking":"failed"===this.conversation.messages.at(-1)?.state?"error":"idle":"offline"}connect(){this.conversation?.stop();let e=l({api:this.api,token:e=>this.tokenSource().then(t=>t(e)),door:"widget"});this.client=e,this.speech=new $(e);let t={api:e,request:()=>this.request(),isPlanning:()=>this.preferences.isPlanning,provide:e=>this.provide(e),changed:this.redraw,kept:e=>q(`conversation.${this.api}`,e),answered:e=>this.answered(e),recordsChanged:e=>this.tellChanges(e),navigated:e=>this.navigate(e),confirmationNeeded:e=>this.tell("confirmationneeded",e)};this.conversation=new y(t),this.name||this.loadName(e);let s=E(`conversation.${this.api}`);s&&this.conversation.open(s)}async loadName(e){let t=await h(e.rest.GET("/api/ai/profile")).catch(()=>null);t?.assistantName&&(this.tenantName=t.assistantName)}async loadLanguage(e){let t=await e.rest.GET("/api/ai/models").catch(()=>null);this.isEnglishOnly="offline"===t?.data?.providers[0]?.id}async tokenSource(){return this.token||await this.tokenGiven,this.token}request(){let[e,...t]=this.preferences.model.split("/"),s=this.page||this.recordId;return{locale:this.words.locale,timezone:Intl.DateTimeFormat().resolvedOptions().timeZone,...e?{provider:e,model:t.join("/")}:{},...s?{context:{page:this.page||null,recordType:this.recordType||null,recordId:this.recordId||null}}:{}}}async say(e){this.view="chat",this.voiceProblem="",this.speech.stop(),await this.conversation.send(e)}askAgain(e){let{messages:t}=this.conversation,s=t.findIndex(t=>t.key===e),a=t.slice(0,Math.max(s,0)).findLast(e=>"user"===e.role);a&&this.say(a.text)}async provide(e){return await(this.provideData?.(e))??null}answered(e){this.minimised&&(this.isUnread=!0);let t=e.error?b(e.error,this.words):e.changes.length&&"system"===e.role?this.words.say("undone_names",{names:e.changes.map(e=>e.name).join(", ")}):e.confirmation?this.words.say("confirm_needed",{question:f(e.confirmation.question)}):f(e.text);this.announce(t),this.preferences.isReadAloud&&!e.error&&!document.hidden&&this.readAloud(e.key)}async readAloud(e){let t=this.speakingKey===e;this.speech.stop(),this.speakingKey=null;let s=this.conversation.find(e);if(t||!s?.text)return;this.speakingKey=e;let a=await this.speech.say(s.text,this.words.locale,this.preferences.voice);this.speakingKey===e&&(this.speakingKey=null),this.record("read_aloud","voice",!0,a,{ttsMs:a})}rate(e,t,s){this.conversation.patch(e,{feedback:t}),("up"===t||s)&&this.record("answer_feedback","feedback","up"===t,0,void 0,s)}async record(e,t,s,a,i,n){let o={commandName:e,commandType:t,success:s,executionTimeMs:a,timing:i,errorMessage:n};await this.client.rest.POST("/api/ai/analytics",{body:o}).catch(()=>{})}navigate(e){this.tell("navigate",e)}tellChanges(e){for(let t of e)this.tell("recordchanged",t)}tell(e,t){this.dispatchEvent(new CustomEvent(e,{detail:t,bubbles:!0,composed:!0}))}announce(e){this.announced=e===this.announced?`${e} `:e}prefer(e){this.preferences=e,this.theme=e.theme,q("theme",e.theme),q("model",e.model||null),q("aloud",e.isReadAloud?"yes":null),q("voice",e.voice||null),q("plan",e.isPlanning?"yes":null)}async show(e){if(this.view=e,"chat"!==e){let e=await import("./parts/views-HLJARUIK.js").then(()=>null,()=>new r(0,"unreachable",""));this.viewsError=e}await this.updateComplete,"chat"===e&&this.composer?.focus()}};ie.shadowRootOptions={...a.shadowRootOptions,delegatesFocus:!0},ie.styles=[u,m,e`:host{display:block;font-family:var(--aisha-font);font-size:var(--aisha-text-m);line-height:1.5;color:var(--aisha-ink);text-align:start;-webkit-text-size-adjust:100%}.panel{display:grid;grid-template-rows:auto auto minmax(0,1fr) auto;background:var(--aisha-bg);block-size:100%;overflow:hidden}:host([layout="fill"]){block-size:100%;min-block-size:0}:host(:not([layout="fill"])) .panel{position:fixed;z-index:2147483000;inset-block:0;inset-inline-end:0;inline-size:min(400px,100vw);block-size:100dvh;border-inline-start:1px solid var(--aisha-line);box-shadow:var(--aisha-shadow)}@media(max-width:600px){:host(:not([layout="fill"])) .panel{inline-size:100vw;border:0}}.launcher{position:fixed;z-index:2147483000;inset-block-end:var(--aisha-5);inset-inline-end:var(--aisha-5);inline-size:56px;block-size:56px;display:grid;place-items:center;font-size:22px;font-weight:700;color:var(--aisha-on-accent);background:var(--aisha-accent-fill);border-radius:18px;box-shadow:var(--aisha-shadow)}.unread{position:absolute;inset-block-start:-3px;inset-inline-end:-3px;inline-size:16px;block-size:16px;border-radius:50%;background:var(--aisha-danger-fill);border:2px solid var(--aisha-bg)}.banner{margin:0;display:flex;align-items:center;gap:var(--aisha-2);padding:var(--aisha-2) var(--aisha-4);font-size:var(--aisha-text-s);color:var(--aisha-warn);background:var(--aisha-warn-soft)}.body{display:grid;min-block-size:0;min-inline-size:0}.empty{overflow-y:auto;padding:var(--aisha-3) var(--aisha-4);scrollbar-width:thin}.empty>*{max-inline-size:760px;margin-inline:auto}.loading{place-self:center;color:var(--aisha-muted);font-size:var(--aisha-text-s)}`],k([i()],ie.prototype,"api",2),k([i({reflect:!0})],ie.prototype,"theme",2),k([i({reflect:!0})],ie.prototype,"layout",2),k([i()],ie.prototype,"locale",2),k([i()],ie.prototype,"name",2),k([i({attribute:"record-type"})],ie.prototype,"recordType",2),k([i({attribute:"record-id"})],ie.prototype,"recordId",2),k([i()],ie.prototype,"page",2),k([i({type:Boolean,reflect:!0})],ie.prototype,"minimised",2),k([i({attribute:!1})],ie.prototype,"token",2),k([i({attribute:!1})],ie.prototype,"provideData",2),k([n()],ie.prototype,"view",2),k([n()],ie.prototype,"isOnline",2),k([n()],ie.prototype,"isUnread",2),k([n()],ie.prototype,"announced",2),k([n()],ie.prototype,"heard",2),k([n()],ie.prototype,"viewsError",2),k([n()],ie.prototype,"listening",2),k([n()],ie.prototype,"speakingKey",2),k([n()],ie.prototype,"voiceProblem",2),k([n()],ie.prototype,"tenantName",2),k([n()],ie.prototype,"isEnglishOnly",2),k([n()],ie.prototype,"preferences",2),k([o("aisha-composer")],ie.prototype,"composer",2),ie=k([d("aisha-assistant")],ie);export{ie as AishaAssistant};